/** The bytes are not the message that they claim to be. Nothing of such a request is stored. */
export class MalformedBody extends Error {
  /** RFC 6901, into a JSON body; empty when the place is not known. */
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.name = 'MalformedBody'
    this.pointer = pointer
  }
}

/** What was sent is well formed, and more than one request may bring. Nothing of such a request is stored. */
export class OversizedBody extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OversizedBody'
  }
}

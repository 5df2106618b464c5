/** Thrown for bytes that are not the message they claim to be. Nothing of such a request is stored. */
export class MalformedBody extends Error {
  /** A JSON pointer (RFC 6901) into a JSON body; empty when the position is not known. */
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.name = 'MalformedBody'
    this.pointer = pointer
  }
}

/** Thrown for a well-formed body that exceeds the limits of one request. Nothing of such a request is stored. */
export class OversizedBody extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OversizedBody'
  }
}

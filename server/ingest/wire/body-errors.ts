/** Thrown for bytes that are not a valid message of the expected type. Nothing of such a request is stored. */
export class MalformedBody extends Error {
  /** A JSON pointer (RFC 6901) into a JSON body; empty if the position is unknown. */
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.name = 'MalformedBody'
    this.pointer = pointer
  }
}

/** Thrown for a well-formed body that exceeds a limit on requests. Nothing of such a request is stored. */
export class OversizedBody extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OversizedBody'
  }
}

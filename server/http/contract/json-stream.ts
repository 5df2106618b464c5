/**
 * A body that is made while it is sent. An error before the first piece becomes a problem document; a later one closes
 * the connection, so that a client never takes a part for the whole.
 */
export interface ByteStream {
  /** Consecutive pieces of the body, each of a few MiB at most. Leaving the loop ends all work on further pieces. */
  readonly pieces: AsyncIterable<Buffer>
  /** Bytes of memory that the stream needs besides one piece. */
  readonly heldBytes: number
}

/** A JSON body that is made while it is sent. `Json` is the type of the whole document. */
export interface JsonStream<Json> extends ByteStream {
  /** Exists only for the compiler. */
  readonly document?: Json
}

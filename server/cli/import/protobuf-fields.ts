import { ProtobufReader, wireTypes } from '../../ingest/wire/protobuf-reader.ts'

/** The embedded messages of one field. Throws MalformedBody. */
export function* messagesOf(message: Buffer, field: number): Generator<Buffer> {
  const reader = new ProtobufReader(message)
  while (reader.position < message.length) {
    const tag = reader.tag(message.length)
    if (tag !== ((field << 3) | wireTypes.bytes)) {
      reader.skip(tag, message.length)
      continue
    }
    const end = reader.endOfBytes(message.length)
    yield message.subarray(reader.position, end)
    reader.position = end
  }
}

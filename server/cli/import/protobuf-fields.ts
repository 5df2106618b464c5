import { wireTypes } from '../../ingest/proto/message-table.ts'
import { ProtobufReader } from '../../ingest/wire/protobuf-reader.ts'

/**
 * Yields the embedded messages of one field.
 * @throws MalformedBody
 */
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

const tagOf = (field: number, wireType: number) => (field << 3) | wireType

/** Fields that only one kind of record has: the times of Span and LogRecord, and the five data fields of Metric. */
const distinguishing: ReadonlyMap<number, string> = new Map([
  [tagOf(7, wireTypes.fixed64), 'resourceSpans'],
  [tagOf(8, wireTypes.fixed64), 'resourceSpans'],
  [tagOf(1, wireTypes.fixed64), 'resourceLogs'],
  [tagOf(11, wireTypes.fixed64), 'resourceLogs'],
  ...[5, 7, 9, 10, 11].map((field) => [tagOf(field, wireTypes.bytes), 'resourceMetrics'] as const),
])

/**
 * Returns the request field that the records of a resource belong to. Requests of all three signals nest field 2 in
 * field 2 in field 1, so only the records themselves reveal the signal; the first record decides. A record without any
 * distinguishing field counts as a span; the server rejects it if it is not one.
 */
export function fieldOfRecords(resource: Buffer): string {
  for (const scope of messagesOf(resource, 2)) {
    for (const record of messagesOf(scope, 2)) return fieldOfRecord(record)
  }
  return 'resourceSpans'
}

/** Span also has bytes in the fields 5, 9 and 11 (name, attributes, events), so its times take precedence. */
function fieldOfRecord(record: Buffer): string {
  const reader = new ProtobufReader(record)
  const found = new Set<string>()
  while (reader.position < record.length) {
    const tag = reader.tag(record.length)
    found.add(distinguishing.get(tag) ?? '')
    reader.skip(tag, record.length)
  }
  return ['resourceSpans', 'resourceLogs', 'resourceMetrics'].find((field) => found.has(field)) ?? 'resourceSpans'
}

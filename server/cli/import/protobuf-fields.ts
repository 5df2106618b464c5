import { wireTypes } from '../../ingest/proto/message-table.ts'
import { ProtobufReader } from '../../ingest/wire/protobuf-reader.ts'
import type { ImportSignal } from './otlp-file.ts'

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
const distinguishing: ReadonlyMap<number, ImportSignal> = new Map([
  [tagOf(7, wireTypes.fixed64), 'traces'],
  [tagOf(8, wireTypes.fixed64), 'traces'],
  [tagOf(1, wireTypes.fixed64), 'logs'],
  [tagOf(11, wireTypes.fixed64), 'logs'],
  ...[5, 7, 9, 10, 11].map((field) => [tagOf(field, wireTypes.bytes), 'metrics'] as const),
])

/**
 * Returns the signal of the records of a resource. Requests of all three signals nest field 2 in field 2 in field 1, so
 * only the records themselves reveal the signal; the first record decides.
 */
export function signalOfRecords(resource: Buffer): ImportSignal {
  for (const record of recordsOf(resource)) return signalOfRecord(record)
  return 'traces'
}

function* recordsOf(resource: Buffer): Generator<Buffer> {
  for (const scope of messagesOf(resource, 2)) yield* messagesOf(scope, 2)
}

/** Holds the trace id of a Span and the name of a Metric. A LogRecord has its time there. */
const idOrNameTag = tagOf(1, wireTypes.bytes)

/**
 * Span also has bytes in the fields 5, 9 and 11 (name, attributes, events), so its times take precedence. So does
 * LogRecord in 5 and 9 (body, trace id), and it may have no times.
 */
function signalOfRecord(record: Buffer): ImportSignal {
  const reader = new ProtobufReader(record)
  const found = new Set<ImportSignal | undefined>()
  let hasIdOrName = false
  while (reader.position < record.length) {
    const tag = reader.tag(record.length)
    found.add(distinguishing.get(tag))
    hasIdOrName ||= tag === idOrNameTag
    reader.skip(tag, record.length)
  }
  if (found.has('traces')) return 'traces'
  if (found.has('logs') || !hasIdOrName) return 'logs'
  return found.has('metrics') ? 'metrics' : 'traces'
}

/** The fields of a Metric that hold its data, in which field 1 lists the points. */
const dataFields = [5, 7, 9, 10, 11]

/** Counts the spans, the log records or the data points of a resource. */
export function countRecords(resource: Buffer, signal: ImportSignal): number {
  let count = 0
  for (const record of recordsOf(resource)) count += signal === 'metrics' ? countPoints(record) : 1
  return count
}

function countPoints(metric: Buffer): number {
  const data = dataFields.flatMap((field) => [...messagesOf(metric, field)])
  return data.reduce((count, points) => count + [...messagesOf(points, 1)].length, 0)
}

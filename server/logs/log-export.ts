/** Exports the log records that a filter finds. */
import {
  type Condition,
  type FoundLogRow,
  hexOfSpanId,
  hexOfTraceId,
  type LogRecordRow,
  logPositions,
  logRecordDetails,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import { Pace } from '../background/pace.ts'
import type { ByteStream } from '../http/contract/json-stream.ts'
import { OriginGroups, type OtlpType, writeOtlp } from '../telemetry/export/otlp-export.ts'
import {
  batchCharactersMax,
  type PositionList,
  positionBytes,
  readInBatches,
  readPositions,
  timesOf,
} from '../telemetry/export/position-list.ts'
import { type RecordFields, type RecordType, writeRecords } from '../telemetry/export/record-export.ts'
import { expectAll } from '../telemetry/export/response-parts.ts'
import { anyValue, keyValuesOfPaths } from '../telemetry/otlp-value.ts'
import { blocksInScope, readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'
import { placesToRead } from '../telemetry/value-index/value-places.ts'
import { type LearnedLogs, type LogPlaces, placesOfLogs, placesOfTimes } from './log-places.ts'
import { toLogRecords } from './log-record.ts'

type LogRecord = components['schemas']['LogRecord']

interface LogExport {
  readonly telemetry: ScopedTelemetry
  readonly conditions: readonly Condition[]
  readonly order: 'newest' | 'oldest'
  readonly limit: number
  readonly learned: LearnedLogs
  readonly mediaType: RecordType | OtlpType
}

const label = 'exported log records'

/**
 * Streams the log records that were stored when the export began. First reads only their positions, then whole records
 * batch by batch, while the response is sent. Stored records never change.
 */
export async function streamLogs(exported: LogExport): Promise<ByteStream> {
  const { telemetry, conditions, order, limit, mediaType, learned } = exported
  const narrowed = await placesOfLogs(learned, telemetry, conditions)
  const bounds = narrowed === undefined ? {} : { places: placesToRead(narrowed) }
  const found = blocksInScope<FoundLogRow>(telemetry, logPositions(conditions, { bounds, order, limit }), label)
  const positions = await readPositions(found, ({ id, time_ns }) => {
    return { id, fromNs: BigInt(time_ns), lastNs: BigInt(time_ns) }
  })
  const batches = readBatches(telemetry, positions, narrowed)
  const isOtlp = mediaType === 'application/json' || mediaType === 'application/x-protobuf'
  const pieces = isOtlp
    ? writeOtlp(resourceLogsOf(batches), 'logRecords', mediaType)
    : writeRecords(recordsOf(batches), mediaType, csvFields)
  return { pieces, heldBytes: positions.length * positionBytes + batchCharactersMax }
}

function readBatches(
  telemetry: ScopedTelemetry,
  positions: PositionList,
  narrowed: LogPlaces | undefined,
): AsyncIterable<readonly LogRecordRow[]> {
  return readInBatches<LogRecordRow>(
    positions,
    async (batch) => {
      const ids = batch.map(({ id }) => id)
      const times = batch.map(({ fromNs }) => fromNs)
      const bounds = { ...timesOf(batch), ...placesOfTimes(narrowed, times) }
      const found = await readInScope<LogRecordRow>(telemetry, logRecordDetails(ids, bounds), label)
      const rows = new Map(found.map((row) => [row.id, row]))
      expectAll(rows.size, new Set(ids).size)
      return batch.flatMap(({ id }) => rows.get(id) ?? [])
    },
    sizeOfRow,
  )
}

function sizeOfRow({ body, attributes }: LogRecordRow): number {
  return Object.values(attributes).reduce((sum, text) => sum + text.length, body.length)
}

async function* recordsOf(batches: AsyncIterable<readonly LogRecordRow[]>): AsyncGenerator<readonly LogRecord[]> {
  for await (const rows of batches) yield await toLogRecords(rows)
}

/** A list of `ResourceLogs` ends with the record that exceeds this number of characters. */
const resourceLogsCharacters = 1024 ** 2

/** Converts rows to the JSON texts of `ResourceLogs` messages. */
async function* resourceLogsOf(batches: AsyncIterable<readonly LogRecordRow[]>): AsyncGenerator<readonly string[]> {
  const pace = new Pace()
  for await (const rows of batches) {
    let groups = new OriginGroups('logRecords')
    let characters = 0
    for (const row of rows) {
      const record = otlpRecord(row)
      groups.add(row, record)
      characters += record.length
      if (characters >= resourceLogsCharacters) {
        yield groups.texts()
        groups = new OriginGroups('logRecords')
        characters = 0
      }
      await pace.rest()
    }
    yield groups.texts()
  }
}

/** Returns the JSON text of the `LogRecord` message of a row. */
function otlpRecord(row: LogRecordRow): string {
  // A record without any time has the time at which it was stored. Another server would assign a later one.
  const hasTime = row.event_time_ns !== '0' || row.observed_time_ns !== '0'
  const plain = {
    timeUnixNano: row.event_time_ns,
    observedTimeUnixNano: hasTime ? row.observed_time_ns : row.time_ns,
    severityNumber: row.severity_number,
    severityText: row.severity_text,
    eventName: row.event_name,
    flags: row.flags,
    droppedAttributesCount: row.dropped_attributes_count,
    ...(row.trace_id === '0' ? {} : { traceId: hexOfTraceId(row.trace_id) }),
    ...(row.span_id === '0' ? {} : { spanId: hexOfSpanId(row.span_id) }),
  }
  const attributes = keyValuesOfPaths(row.attributes)
  return `${JSON.stringify(plain).slice(0, -1)},"body":${anyValue(row.body)},"attributes":${attributes}}`
}

/** The columns of the CSV, with the field of each that a log record has for it. */
const fields: Readonly<Record<string, (record: LogRecord) => string | number | null>> = {
  id: (record) => record.id,
  time: (record) => record.time,
  event_time: (record) => record.event_time,
  observed_time: (record) => record.observed_time,
  service: (record) => record.service,
  severity: (record) => record.severity,
  severity_number: (record) => record.severity_number,
  body: ({ body: { value } }) => (typeof value === 'string' || value === null ? value : JSON.stringify(value)),
  event_name: (record) => record.event_name,
  trace_id: (record) => record.trace_id,
  span_id: (record) => record.span_id,
  attributes: ({ attributes }) => JSON.stringify(attributes),
  resource_attributes: (record) => JSON.stringify(record.resource_attributes),
}

const csvFields: RecordFields<LogRecord> = {
  columns: Object.keys(fields),
  fieldsOf: (record) => Object.values(fields).map((field) => field(record)),
}

/** Exports the messages that a filter finds. */
import {
  type Attribute,
  type MessagePositionRow,
  type MessageQuery,
  messageDetails,
  messagePositions,
  parseAttributes,
  spanRecords,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import type { ByteStream } from '../http/contract/json-stream.ts'
import {
  batchCharactersMax,
  type Position,
  type PositionList,
  positionBytes,
  readInBatches,
  readPositions,
  timesOf,
} from '../telemetry/export/position-list.ts'
import { exportedMax, type RecordFields, type RecordType, writeRecords } from '../telemetry/export/record-export.ts'
import { expectAll } from '../telemetry/export/response-parts.ts'
import { blocksInScope, readInScope, type ScopedTelemetry, storedBy, telemetryIn } from '../telemetry/scope.ts'
import { readFilter } from './message-filter.ts'
import { type LearnedPlaces, spansOfMatches } from './search/matching-spans.ts'
import { type StoredMessage, toMessageRecord } from './search/message-page.ts'

type Message = components['schemas']['Message']

interface MessageExport extends LearnedPlaces {
  readonly telemetry: ScopedTelemetry
  readonly query: MessageQuery
  /** Attributes that the messages include. */
  readonly columns: readonly Attribute[]
  readonly order: 'newest' | 'oldest'
  readonly limit: number
  readonly mediaType: RecordType
}

/** Creates the handler that streams the messages of a filter as a file. */
export function exportHandlers(deps: Deps, learned: LearnedPlaces): Handlers<'exportMessages'> {
  return { exportMessages: (request) => exportMessages(deps, learned, request) }
}

async function exportMessages(deps: Deps, learned: LearnedPlaces, request: HandlerRequest<'exportMessages'>) {
  const { order = 'newest', limit = exportedMax, columns: sentColumns = [], ...filter } = request.body ?? {}
  const { query, window } = await readFilter(deps, request.caller, filter)
  const columns = parseAttributes(sentColumns, spanRecords, '/columns')
  const telemetry = await telemetryIn(deps, request, window)
  const { mediaType } = request
  const stream = await streamMessages({ ...learned, telemetry, query, columns, order, limit, mediaType })
  return { status: 200 as const, stream }
}

/**
 * Streams the messages as of one moment. First reads only the positions of all messages, then whole messages batch by
 * batch, while the response is sent. A batch reads only the time in which its messages have spans.
 */
async function streamMessages(exported: MessageExport): Promise<ByteStream> {
  const { telemetry, columns, order, limit, mediaType } = exported
  const found = await spansOfMatches(exported, telemetry, exported.query)
  const ordered = messagePositions(found.query, order, limit, found.bounds)
  let storedByMicros = 0n
  const rows = blocksInScope<MessagePositionRow>(found.telemetry, ordered, 'exported messages')
  const positions = await readPositions(rows, (row) => {
    storedByMicros = BigInt(row.asked_micros)
    return { id: row.trace_id, fromNs: BigInt(row.started_ns), lastNs: BigInt(row.last_started_ns) }
  })
  const batches = readBatches({ ...exported, query: found.query }, positions, storedByMicros)
  return {
    pieces: writeRecords(batches, mediaType, csvFields(columns)),
    heldBytes: positions.length * positionBytes + batchCharactersMax,
  }
}

function readBatches(
  { telemetry, query, columns }: MessageExport,
  positions: PositionList,
  storedByMicros: bigint,
): AsyncIterable<readonly Message[]> {
  const readRows = (within: ScopedTelemetry, batch: readonly Position[], columnsOfRows: readonly Attribute[]) => {
    const details = messageDetails(query, { ...timesOf(batch), traceIds: batch.map(({ id }) => id) }, columnsOfRows)
    return readInScope<StoredMessage>(within, details, 'exported messages')
  }
  return readInBatches<Message>(
    positions,
    async (batch) => {
      const rows = await readRows(storedBy(telemetry, storedByMicros), batch, columns)
      const messages = new Map(rows.map((row) => [row.trace_id, toMessageRecord(row).message]))
      const missing = batch.filter(({ id }) => !messages.has(id))
      // A message that was stored while the positions were read is left out, but it is still there.
      if (missing.length > 0) expectAll((await readRows(telemetry, missing, [])).length, missing.length)
      return batch.flatMap(({ id }) => messages.get(id) ?? [])
    },
    ({ matched_step_ids, columns = [] }) =>
      columns.reduce((sum, column) => sum + (column?.value.length ?? 0), 20 * matched_step_ids.length),
  )
}

/** The columns of the CSV, with the field of each that a message has for it. */
const fields: Readonly<Record<string, (message: Message) => string | number>> = {
  trace_id: (message) => message.trace_id,
  started_at: (message) => message.started_at,
  duration_ns: (message) => message.duration_ns,
  status: (message) => message.status,
  'root.service': (message) => message.root.service,
  'root.name': (message) => message.root.name,
  services: (message) => JSON.stringify(message.services),
  span_count: (message) => message.span_count,
  error_count: (message) => message.error_count,
  matched_step_count: (message) => message.matched_step_count,
  matched_step_ids: (message) => message.matched_step_ids.join(' '),
}

/** Returns the columns of the CSV: the fields of a message, then its columns under the keys of their attributes. */
function csvFields(columns: readonly Attribute[]): RecordFields<Message> {
  return {
    columns: [...Object.keys(fields), ...columns.map(({ key }) => key)],
    fieldsOf: (message) => [
      ...Object.values(fields).map((field) => field(message)),
      ...(message.columns ?? []).map((column) => column?.value ?? null),
    ],
  }
}

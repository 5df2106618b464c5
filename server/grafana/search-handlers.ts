import { type Attribute, type FoundSpanRow, foundSpans, hexOfSpanId, type MessageQuery, spanIdOfHex } from '#sql'
import type { components } from '../../openapi/types.ts'
import { mapPaced } from '../background/pace.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import type { FoundPage, MessageRecord } from '../messages/search/message-page.ts'
import { anyValue } from '../telemetry/otlp-value.ts'
import { readInScope, type ScopedTelemetry, storedBy, telemetryIn } from '../telemetry/scope.ts'
import { readTempoQuery } from './tempo-query.ts'
import { readTempoWindow } from './tempo-window.ts'

/** Finds the newest messages that match a query. */
export type FindNewest = (telemetry: ScopedTelemetry, query: MessageQuery, limit: number) => Promise<FoundPage>

const limitDefault = 20
const spansPerSetDefault = 3

type SearchDeps = Pick<Deps, 'clickhouse' | 'granted' | 'now'>

/** Searches by TraceQL or tags. The newest traces come first. */
export function searchHandlers(deps: SearchDeps, findNewest: FindNewest): Handlers<'searchTempoTraces'> {
  return {
    async searchTempoTraces(request) {
      return { status: 200, body: { traces: await searchTraces(deps, findNewest, request), metrics: {} } }
    },
  }
}

async function searchTraces(
  deps: SearchDeps,
  findNewest: FindNewest,
  request: HandlerRequest<'searchTempoTraces'>,
): Promise<components['schemas']['TempoFoundTrace'][]> {
  const { limit = limitDefault, spss = spansPerSetDefault, ...query } = request.query
  const { filter, attributes } = readTempoQuery(query)
  const telemetry = await telemetryIn(deps, request, readTempoWindow(query, deps.now()))
  const { messages, storedByMicros } = await findNewest(telemetry, filter, limit)
  const spans = await readSpans(storedBy(telemetry, storedByMicros), { messages, spss, attributes })
  return mapPaced(messages, (message) => toFoundTrace(message, { spss, spans, attributes }))
}

interface ReadSpans {
  readonly messages: readonly MessageRecord[]
  readonly spss: number
  readonly attributes: readonly Attribute[]
}

/** Reads the first matched spans of each message, by trace id and span id. */
async function readSpans(
  telemetry: ScopedTelemetry,
  { messages, spss, attributes }: ReadSpans,
): Promise<ReadonlyMap<string, FoundSpanRow>> {
  const ids = messages.flatMap(({ message }) => message.matched_step_ids.slice(0, spss))
  if (ids.length === 0) return new Map()
  const traceIds = messages.map(({ traceId }) => traceId)
  const spanIds = [...new Set(ids)].map(spanIdOfHex)
  const query = foundSpans({ traceIds, spanIds, attributes })
  const rows = await readInScope<FoundSpanRow>(telemetry, query, 'matched spans')
  return new Map(await mapPaced(rows, (row) => [`${row.trace_id} ${hexOfSpanId(row.span_id)}`, row] as const))
}

interface FoundSpans extends Omit<ReadSpans, 'messages'> {
  readonly spans: ReadonlyMap<string, FoundSpanRow>
}

function toFoundTrace(
  { message, traceId, startedNs }: MessageRecord,
  { spss, spans, attributes }: FoundSpans,
): components['schemas']['TempoFoundTrace'] {
  const rows = message.matched_step_ids.slice(0, spss).flatMap((id) => spans.get(`${traceId} ${id}`) ?? [])
  return {
    // Tempo leaves out leading zeros, so that an id of 64 bits has 16 digits.
    traceID: message.trace_id.replace(/^0+/, ''),
    rootServiceName: message.root.service,
    rootTraceName: message.root.name,
    startTimeUnixNano: startedNs.toString(),
    durationMs: Number(BigInt(message.duration_ns) / 1_000_000n),
    spanSets: [{ spans: rows.map((row) => toFoundSpan(row, attributes)), matched: message.matched_step_count }],
  }
}

function toFoundSpan(row: FoundSpanRow, attributes: readonly Attribute[]): components['schemas']['TempoFoundSpan'] {
  const carried = attributes.flatMap(({ key, source }, index) => {
    const tagged = row.tagged[index] ?? ''
    // The name and the duration have fields of their own.
    const isField = source === 'intrinsic' && (key === 'name' || key === 'duration_ms')
    return tagged === '' || isField ? [] : [{ key, value: JSON.parse(anyValue(tagged)) }]
  })
  return {
    spanID: hexOfSpanId(row.span_id),
    name: row.name,
    startTimeUnixNano: row.start_ns,
    durationNanos: row.duration_ns,
    attributes: carried,
  }
}

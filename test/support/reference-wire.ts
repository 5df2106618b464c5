import { textOf } from './reference-attribute.ts'
import type { Message, MessageQuery } from './reference-messages.ts'
import type { Window } from './reference-population.ts'
import { toRfc3339 } from './reference-time.ts'
import type { Attributes, OtlpValue } from './span-model.ts'

/** Ids of matched steps that a search names at most; the count beside them is exact. */
export const matchedStepIdsMax = 1_000

/** The body of `messages/count` and, with a page, of `messages/search`. An integration goes by its id, which is not in it. */
export function toRequestBody(query: MessageQuery & Window) {
  return {
    from: toRfc3339(query.fromNs),
    to: toRfc3339(query.toNs),
    rows: query.rows,
    ...(query.status === undefined ? {} : { status: query.status }),
  }
}

/** A message as a search answers it. */
export function toWireMessage(message: Message) {
  return {
    trace_id: message.traceId,
    started_at: toRfc3339(message.startedNs),
    duration_ns: String(message.durationNs),
    status: message.status,
    root: message.root,
    services: message.services,
    span_count: message.spanCount,
    error_count: message.errorCount,
    matched_step_count: message.matchedSteps.length,
    matched_step_ids: message.matchedSteps.slice(0, matchedStepIdsMax).map((step) => step.spanId),
  }
}

export type WireMessage = ReturnType<typeof toWireMessage>

/** Attributes as a message detail answers them, in the order of their keys; a key that stands twice has its last value. */
export function toWireAttributes(attributes: Attributes): { key: string; type: string; value: unknown }[] {
  return [...new Map(attributes)]
    .map(([key, value]) => ({ key, type: typeOfValue(value), value: toWireValue(value) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
}

/** The name of an OTLP type on the wire. */
export function typeOfValue(value: OtlpValue): string {
  return Object.keys(value)[0]?.replace('Value', '') ?? 'unset'
}

function toWireValue(value: OtlpValue): unknown {
  const text = textOf(value)
  if ('boolValue' in value) return value.boolValue
  if ('intValue' in value) return Number.isSafeInteger(Number(text)) ? Number(text) : text
  if ('doubleValue' in value) return Number.isFinite(value.doubleValue) ? Number(text) : text
  if ('arrayValue' in value || 'kvlistValue' in value) return JSON.parse(text)
  return Object.keys(value).length === 0 ? null : text
}

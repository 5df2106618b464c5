import { textOf } from './reference-attribute.ts'
import type { Message, MessageQuery } from './reference-messages.ts'
import type { Window } from './reference-population.ts'
import { toRfc3339 } from './reference-time.ts'
import type { Attributes, OtlpValue } from './span-model.ts'

/** The largest number of matched steps whose ids a message lists. Its count is exact. */
export const matchedStepIdsMax = 1_000

/** Returns the body of `messages/count` and `messages/search`, without the page and the integration's id. */
export function toRequestBody(query: MessageQuery & Window) {
  return {
    from: toRfc3339(query.fromNs),
    to: toRfc3339(query.toNs),
    rows: query.rows,
    ...(query.relations === undefined ? {} : { relations: query.relations }),
    ...(query.status === undefined ? {} : { status: query.status }),
  }
}

/** Returns a message as a search returns it. */
export function toWireMessage(message: Message) {
  return {
    trace_id: message.traceId,
    started_at: toRfc3339(message.startedNs),
    duration_ns: String(message.durationNs),
    status: message.status,
    root: { service: message.root.service, name: message.root.name },
    services: message.services,
    span_count: message.spanCount,
    error_count: message.errorCount,
    matched_step_count: message.matchedSteps.length,
    matched_step_ids: message.matchedSteps.slice(0, matchedStepIdsMax).map((step) => step.spanId),
  }
}

export type WireMessage = ReturnType<typeof toWireMessage>

/** Returns attributes as a message detail returns them, by key. A key that occurs twice has its last value. */
export function toWireAttributes(attributes: Attributes): { key: string; type: string; value: unknown }[] {
  return [...new Map(attributes)]
    .map(([key, value]) => ({ key, type: typeOfValue(value), value: toWireValue(value) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
}

/** Returns the name of a value's OTLP type in the API. */
export function typeOfValue(value: OtlpValue): string {
  return Object.keys(value)[0]?.replace('Value', '') ?? 'unset'
}

function toWireValue(value: OtlpValue): unknown {
  const text = textOf(value)
  if ('boolValue' in value) return value.boolValue
  if ('intValue' in value) return Number.isSafeInteger(Number(text)) ? Number(text) : text
  if ('doubleValue' in value) return Number.isFinite(value.doubleValue) ? Number(text) : text
  if ('arrayValue' in value) return (value.arrayValue?.values ?? []).map(toNestedWireValue)
  if ('kvlistValue' in value) return toWireObject(value.kvlistValue?.values ?? [])
  return Object.keys(value).length === 0 ? null : text
}

function toWireObject(entries: readonly { readonly key: string; readonly value: OtlpValue }[]): unknown {
  return Object.fromEntries(entries.map(({ key, value }) => [key, toNestedWireValue(value)]))
}

/** The text of a list does not tell a whole double from an int, so what fits in 64 bits counts as an int. */
function toNestedWireValue(value: OtlpValue): unknown {
  const text = textOf(value)
  const isInt = 'doubleValue' in value && /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
  return toWireValue(isInt ? { intValue: text } : value)
}

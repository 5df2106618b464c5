import { type AttributeSource, readAttribute, textOf } from './reference-attribute.ts'
import { fieldOf } from './reference-message-fields.ts'
import type { Message } from './reference-messages.ts'
import type { Window } from './reference-population.ts'
import { toRfc3339 } from './reference-time.ts'
import type { SpanModel } from './span-model.ts'

/** An attribute by which messages are grouped, as a request names it. */
export interface GroupAttribute {
  readonly attribute_source?: AttributeSource | 'message'
  readonly attribute_key: string
}

type Values = readonly (string | null)[]

/** Returns what `POST /messages/breakdown` answers for messages (docs/questions.md, section 13). */
export function breakdownOf(found: readonly Message[], groupBy: readonly GroupAttribute[], limit: number) {
  const groups = groupsOf(found, groupBy)
  return {
    groups: groups.slice(0, limit).map(({ values, messages, stepCount }) => ({
      values,
      ...numbersOf(messages),
      matched_step_count: stepCount,
    })),
    total: {
      ...numbersOf(found),
      matched_step_count: found.reduce((sum, { matchedSteps }) => sum + matchedSteps.length, 0),
    },
    group_count: groups.length,
    other_group_count: groups.length - Math.min(groups.length, limit),
  }
}

interface Group {
  readonly values: Values
  readonly messages: Message[]
  stepCount: number
}

/** Returns all groups, the largest first. */
function groupsOf(found: readonly Message[], groupBy: readonly GroupAttribute[]): Group[] {
  const groups = new Map<string, Group>()
  for (const message of found) {
    const values = message.matchedSteps
      .map((step) => valuesOf(message, step, groupBy))
      .filter((each) => each !== undefined)
    const ofMessage = values.length > 0 ? values : message.matchedSteps.map(() => groupBy.map(() => null))
    for (const each of ofMessage) {
      const key = JSON.stringify(each)
      const group = groups.get(key) ?? { values: each, messages: [], stepCount: 0 }
      if (group.messages.at(-1) !== message) group.messages.push(message)
      group.stepCount += 1
      groups.set(key, group)
    }
  }
  return [...groups.values()].sort(
    (left, right) => right.messages.length - left.messages.length || compareValues(left.values, right.values),
  )
}

/** Returns the values of the group that a step puts its message into; undefined if it lacks one. */
function valuesOf(message: Message, step: SpanModel, groupBy: readonly GroupAttribute[]): Values | undefined {
  const texts = groupBy.map(({ attribute_source: source = 'any', attribute_key: key }) => {
    const carried = source === 'message' ? fieldOf(message, key) : readAttribute(step, source, key)
    return carried === undefined ? undefined : textOf(carried)
  })
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** Compares by the bytes of each value in turn. Null is last. */
function compareValues(left: Values, right: Values): number {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? null
    if (value === other) continue
    if (value === null || other === null) return value === null ? 1 : -1
    return Buffer.compare(Buffer.from(value), Buffer.from(other))
  }
  return 0
}

export interface HistogramRequest {
  readonly step_s: number
  readonly heatmap?: boolean
  readonly group_by?: readonly GroupAttribute[]
  readonly limit?: number
}

/** Returns what `POST /messages/histogram` answers for messages (docs/questions.md, section 12). */
export function histogramOf(found: readonly Message[], window: Window, request: HistogramRequest) {
  const { step_s, heatmap = false, group_by: groupBy, limit = 10 } = request
  const buckets = (messages: readonly Message[]) => bucketsOf(messages, window, step_s, heatmap)
  const base = { step_s, buckets: buckets(found) }
  if (groupBy === undefined) return base
  const groups = groupsOf(found, groupBy)
  const rest = new Set(groups.slice(limit).flatMap(({ messages }) => messages))
  return {
    ...base,
    series: groups.slice(0, limit).map(({ values, messages }) => ({ values, buckets: buckets(messages) })),
    other: buckets(found.filter((message) => rest.has(message))),
  }
}

function bucketsOf(found: readonly Message[], { fromNs, toNs }: Window, stepS: number, heatmap: boolean) {
  const stepNs = BigInt(stepS) * 1_000_000_000n
  const buckets = []
  for (let atNs = fromNs - (fromNs % stepNs); atNs < toNs; atNs += stepNs) {
    const messages = found.filter(({ startedNs }) => atNs <= startedNs && startedNs < atNs + stepNs)
    buckets.push({ at: toRfc3339(atNs), ...numbersOf(messages), ...(heatmap ? { bands: bandsOf(messages) } : {}) })
  }
  return buckets
}

function bandsOf(messages: readonly Message[]) {
  const counts = new Map<number, number>()
  for (const { durationNs } of messages) {
    const fromMs = lowerEndOf(durationNs)
    counts.set(fromMs, (counts.get(fromMs) ?? 0) + 1)
  }
  return [...counts]
    .sort(([left], [right]) => left - right)
    .map(([from_ms, message_count]) => ({ from_ms, to_ms: from_ms === 0 ? 2 ** -20 : 2 * from_ms, message_count }))
}

/** Returns the largest power of two, in milliseconds, that a duration reaches. Compares integers, which are exact. */
function lowerEndOf(durationNs: bigint): number {
  if (durationNs === 0n) return 0
  let exponent = -20
  while (durationNs << 20n >= 1_000_000n << BigInt(exponent + 21)) exponent += 1
  return 2 ** exponent
}

function numbersOf(messages: readonly Message[]) {
  const durations = messages.map(({ durationNs }) => durationNs).sort((left, right) => (left < right ? -1 : 1))
  return {
    message_count: messages.length,
    error_message_count: messages.filter(({ status }) => status === 'error').length,
    duration_ms:
      durations.length === 0
        ? null
        : { p50: nearestRank(durations, 0.5), p95: nearestRank(durations, 0.95), max: nearestRank(durations, 1) },
  }
}

function nearestRank(sorted: readonly bigint[], share: number): number {
  return Number(sorted[Math.ceil(share * sorted.length - 1e-9) - 1]) / 1e6
}

import { readAttribute, textOf } from './reference-attribute.ts'
import { groupByTrace } from './reference-descendants.ts'
import { type Message, type MessageQuery, searchMessages } from './reference-messages.ts'
import { byCodePoints } from './reference-order.ts'
import type { SpanModel } from './span-model.ts'

/** One side of a comparison: its messages, newest first, and the population of its window. */
export interface ReferenceSide {
  readonly messages: readonly Message[]
  readonly population: readonly SpanModel[]
}

/** Returns all messages of the population and the integration that are not among those of side `a`. */
export function restOf(a: ReferenceSide, integration: MessageQuery['integration']): ReferenceSide {
  const found = new Set(a.messages.map(({ traceId }) => traceId))
  const all = searchMessages(a.population, { rows: [], ...(integration === undefined ? {} : { integration }) })
  return { messages: all.filter(({ traceId }) => !found.has(traceId)), population: a.population }
}

const valuesMax = 1_000
const pairsMax = 50
const manyValuedMax = 100

/** Returns what `POST /messages/compare` answers, without the summaries (docs/questions.md, section 14). */
export function comparisonOf(a: ReferenceSide, b: ReferenceSide, messagesMax = 100_000) {
  const compared = { a: a.messages.slice(0, messagesMax), b: b.messages.slice(0, messagesMax) }
  const carried = { a: carriedBy(a, compared.a), b: carriedBy(b, compared.b) }
  const keys = [...new Set([...carried.a.keys(), ...carried.b.keys()])]
  const ofSide = (side: 'a' | 'b', count: number): Counted => {
    const total = compared[side].length
    return { message_count: count, share: total === 0 ? 0 : count / total }
  }
  const valuesOf = (side: 'a' | 'b', key: string) => carried[side].get(key) ?? new Map<string, Set<string>>()
  const isManyValued = (key: string) => Math.max(valuesOf('a', key).size, valuesOf('b', key).size) > valuesMax
  const pairs = keys
    .filter((key) => !isManyValued(key))
    .flatMap((key) => {
      const values = new Set([...valuesOf('a', key).keys(), ...valuesOf('b', key).keys()])
      return [...values].map((value) => ({
        key,
        value,
        a: ofSide('a', valuesOf('a', key).get(value)?.size ?? 0),
        b: ofSide('b', valuesOf('b', key).get(value)?.size ?? 0),
      }))
    })
    .sort(
      (left, right) =>
        compareNumbers(differenceOf(right, compared), differenceOf(left, compared)) ||
        byCodePoints(left.key, right.key) ||
        byCodePoints(left.value, right.value),
    )
  const messagesOf = (side: 'a' | 'b', key: string) =>
    new Set([...valuesOf(side, key).values()].flatMap((messages) => [...messages])).size
  const manyValued = keys
    .filter(isManyValued)
    .map((key) => ({ key, a: ofSide('a', messagesOf('a', key)), b: ofSide('b', messagesOf('b', key)) }))
    .sort(
      (left, right) =>
        Math.max(right.a.share, right.b.share) - Math.max(left.a.share, left.b.share) ||
        byCodePoints(left.key, right.key),
    )
  return {
    pairs: pairs.slice(0, pairsMax),
    high_cardinality_keys: manyValued.slice(0, manyValuedMax),
    high_cardinality_key_count: manyValued.length,
    compared: {
      a: { message_count: compared.a.length, total_message_count: a.messages.length },
      b: { message_count: compared.b.length, total_message_count: b.messages.length },
    },
  }
}

interface Counted {
  readonly message_count: number
  readonly share: number
}

interface Compared {
  readonly a: readonly Message[]
  readonly b: readonly Message[]
}

/** Returns the ids of the messages by key and value, for every key that the source `any` reads of some step. */
function carriedBy({ population }: ReferenceSide, messages: readonly Message[]): Map<string, Map<string, Set<string>>> {
  const found = new Set(messages.map(({ traceId }) => traceId))
  const carried = new Map<string, Map<string, Set<string>>>()
  for (const [traceId, steps] of groupByTrace(population)) {
    if (!found.has(traceId)) continue
    for (const step of steps)
      for (const key of new Set([...step.attributes, ...step.resourceAttributes].map(([each]) => each))) {
        const value = readAttribute(step, 'any', key)
        if (value === undefined) throw new Error(`A step carries ${key}, which cannot be read.`)
        const values = carried.get(key) ?? new Map<string, Set<string>>()
        carried.set(key, values)
        const text = textOf(value)
        values.set(text, (values.get(text) ?? new Set()).add(traceId))
      }
  }
  return carried
}

/** Returns the exact difference of the shares, times the numbers of messages of both sides. */
function differenceOf({ a, b }: Readonly<Record<'a' | 'b', Counted>>, compared: Compared): bigint {
  const [ofA, ofB] = [BigInt(compared.a.length || 1), BigInt(compared.b.length || 1)]
  const difference = BigInt(a.message_count) * ofB - BigInt(b.message_count) * ofA
  return difference < 0n ? -difference : difference
}

function compareNumbers(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right)
}

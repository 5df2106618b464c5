import { randomOperand } from './random-operand.ts'
import { type RandomQuery, randomQuery } from './random-query.ts'
import type { Random } from './random-source.ts'
import type { RandomTraces } from './random-traces.ts'
import { intrinsicKeys, textOf } from './reference-attribute.ts'
import { type FieldRow, fieldAccepts, fieldHolds, fieldOf, messageFieldNames } from './reference-message-fields.ts'
import { type Message, type MessageQuery, searchMessages } from './reference-messages.ts'
import { operators } from './reference-operators.ts'
import { type MessageOrder, messageOrders, type StepAttribute } from './reference-page.ts'
import { populationOf, type Window } from './reference-population.ts'

/** A query in the whole vocabulary of message filters. */
export interface RandomFilter extends MessageQuery, Window, Pick<RandomQuery, 'limit'> {}

/** A filter with the order and the columns of a search. */
export interface RandomSearch extends RandomFilter {
  readonly order?: MessageOrder
  readonly columns?: readonly StepAttribute[]
}

/** Draws a valid search. Most are newest first, which has the most strategies. */
export function randomSearch(random: Random, traces: RandomTraces): RandomSearch {
  const filter = randomFilter(random, traces)
  const columnCount = random.weighted({ 0: 60, 1: 15, 2: 15, 20: 10 })
  const columns = Array.from({ length: Number(columnCount) }, () => randomAttribute(random, traces))
  return {
    ...filter,
    ...(random.chance(0.4) ? {} : { order: random.pick(messageOrders) }),
    ...(columns.length === 0 ? {} : { columns }),
  }
}

/** From 1970 to the last time that can be stored. */
const allTime: Window = { fromNs: 0n, toNs: 2n ** 63n - 1n }

/** Draws an attribute of steps. */
export function randomAttribute(random: Random, traces: RandomTraces): StepAttribute {
  const attribute_source = random.weighted({ any: 50, span: 20, resource: 15, intrinsic: 15 })
  const attribute_key = attribute_source === 'intrinsic' ? random.pick(intrinsicKeys) : random.pick(traces.keys)
  return { ...(attribute_source === 'any' && random.chance(0.5) ? {} : { attribute_source }), attribute_key }
}

/** Draws a valid filter: the rows of a random query, often with rows on fields of the messages that it finds. */
export function randomFilter(random: Random, traces: RandomTraces): RandomFilter {
  const drawnQuery = randomQuery(random, traces)
  const query = random.chance(0.03) ? { ...drawnQuery, ...allTime } : drawnQuery
  const rowCount = random.weighted({ none: 50, one: 30, two: 15, three: 5 })
  if (rowCount === 'none') return query
  const target = randomMessage(random, traces, query)
  const drawn = Array.from({ length: { one: 1, two: 2, three: 3 }[rowCount] }, () => randomFieldRow(random, target))
  // A filter of field rows alone is about every message.
  const rows = random.chance(0.2) ? drawn : random.sample([...query.rows, ...drawn], query.rows.length + drawn.length)
  return { ...query, rows }
}

/** Draws a message that the query finds, or one of the window, if there is one. */
function randomMessage(random: Random, traces: RandomTraces, query: RandomQuery): Message | undefined {
  const inWindow = populationOf(traces.rows, traces.org, query)
  if (inWindow.length === 0) return undefined
  const { traceId } = random.pick(inWindow)
  const trace = inWindow.filter((span) => span.traceId === traceId)
  return searchMessages(trace, { rows: query.rows })[0] ?? searchMessages(trace, { rows: [] })[0]
}

/** Random rows are mostly false, so this takes the first of a few draws that holds for the target. */
function randomFieldRow(random: Random, target: Message | undefined): FieldRow {
  const attribute_key = random.pick(messageFieldNames)
  const operator = random.pick(operators.filter((each) => fieldAccepts(attribute_key, each)))
  const text = target === undefined ? '2' : textOf(fieldOf(target, attribute_key))
  const draw = (): FieldRow => {
    const value = randomOperand(random, operator, text) ?? text
    return { attribute_source: 'message', attribute_key, operator, value }
  }
  const draws = Array.from({ length: random.chance(0.8) ? 6 : 1 }, draw)
  return draws.find((row) => target !== undefined && fieldHolds(row, target)) ?? (draws[0] as FieldRow)
}

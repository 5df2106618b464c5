import { isDeepStrictEqual } from 'node:util'
import type { RandomSearch } from '../support/random-filter.ts'
import type { RandomTraces } from '../support/random-traces.ts'
import { textOf } from '../support/reference-attribute.ts'
import { countsOfMessages, searchMessages } from '../support/reference-messages.ts'
import { inOrder, toWireMessageWith } from '../support/reference-page.ts'
import { populationOf } from '../support/reference-population.ts'
import { toRequestBody, typeOfValue, type WireMessage } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'
import { type MessageSubject, type SearchOptions, searchPages } from './message-subject.ts'

/** The maximum number of pages that are read of one search. */
const pageCountMax = 4
/** Up to this number of messages, pages are enlarged so that all are read; beyond it, only the first pages are read. */
const walkedMessagesMax = 100

export interface Comparison {
  /** The number of messages that the reference finds. */
  readonly foundCount: number
  /** A printed description of the case, or undefined when subject and reference agree. */
  readonly difference: string | undefined
}

/** Compares search and count of the subject with the reference. */
export async function compareMessages(
  subject: MessageSubject,
  traces: RandomTraces,
  query: RandomSearch,
): Promise<Comparison> {
  const population = populationOf(traces.rows, traces.org, query)
  const found = inOrder(searchMessages(population, query), query.order ?? 'newest')
  const widened = Math.max(query.limit, Math.ceil(found.length / pageCountMax))
  const limit = found.length > walkedMessagesMax ? query.limit : widened
  const [expected, counts] = [
    found.slice(0, limit * pageCountMax).map(toWireMessageWith(query.columns)),
    countsOfMessages(found),
  ]
  const answer = await answerOf(subject, traces.org, query, limit)
  const agrees = isDeepStrictEqual(answer, { messages: expected, counts })
  const difference = agrees ? undefined : printDifference(traces, query, expected, answer, counts)
  return { foundCount: found.length, difference }
}

interface Answer {
  readonly messages: readonly WireMessage[]
  readonly counts: unknown
}

async function answerOf(
  subject: MessageSubject,
  org: string,
  query: RandomSearch,
  limit: number,
): Promise<Answer | Error> {
  try {
    const body = { ...toRequestBody(query), ...(await idOfIntegration(subject, org, query)) }
    const [messages, counts] = await Promise.all([
      searchPages(subject, org, { ...body, ...pageOf(query), limit }, pageCountMax),
      subject.count(org, body),
    ])
    // The order of services is not specified.
    return {
      messages: messages.map((message) => ({ ...message, services: message.services.toSorted() })),
      counts: { ...counts },
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function idOfIntegration(subject: MessageSubject, org: string, { integration }: RandomSearch) {
  return integration === undefined ? {} : { integration_id: await subject.createIntegration(org, integration) }
}

/** Returns what a search has and a count has not. */
function pageOf({ order, columns }: RandomSearch): SearchOptions {
  return { ...(order === undefined ? {} : { order }), ...(columns === undefined ? {} : { columns }) }
}

/**
 * Removes rows of the query while subject and reference still disagree, and returns the difference in the smallest such
 * case, or `difference` if they disagree no longer.
 */
export async function shrinkRows(
  subject: MessageSubject,
  traces: RandomTraces,
  query: RandomSearch,
  difference: string,
): Promise<string> {
  for (const position of query.rows.keys()) {
    const smaller = { ...query, rows: query.rows.toSpliced(position, 1) }
    const ofSmaller = (await compareMessages(subject, traces, smaller)).difference
    if (ofSmaller !== undefined) return shrinkRows(subject, traces, smaller, ofSmaller)
  }
  return (
    (await compareMessages(subject, traces, query)).difference ??
    `The difference disappeared when the query was repeated. It was:\n${difference}`
  )
}

function printDifference(
  traces: RandomTraces,
  query: RandomSearch,
  expected: readonly WireMessage[],
  answer: Answer | Error,
  counts: unknown,
): string {
  const head = [
    `organization ${traces.org}`,
    `query ${JSON.stringify({ ...toRequestBody(query), ...pageOf(query) })} in pages of ${query.limit}`,
    `integration ${JSON.stringify(query.integration)}`,
  ]
  if (answer instanceof Error) return [...head, `the subject failed: ${answer.stack}`].join('\n')
  const wrong = firstWrongTrace(expected, answer.messages)
  return [
    ...head,
    `counts   ${JSON.stringify(counts)}`,
    `answered ${JSON.stringify(answer.counts)}`,
    `order    ${expected.map((message) => message.trace_id.slice(-6)).join(' ')}`,
    `answered ${answer.messages.map((message) => message.trace_id.slice(-6)).join(' ')}`,
    `expected ${JSON.stringify(expected.find((message) => message.trace_id === wrong))}`,
    `answered ${JSON.stringify(answer.messages.find((message) => message.trace_id === wrong))}`,
    ...traces.rows
      .filter((row) => row.traceId === wrong)
      .slice(0, 60)
      .map(printRow),
  ].join('\n')
}

function firstWrongTrace(expected: readonly WireMessage[], answered: readonly WireMessage[]): string | undefined {
  const position = expected.findIndex((message, index) => !isDeepStrictEqual(message, answered[index]))
  return (expected[position] ?? answered[expected.length])?.trace_id
}

function printRow(row: SpanModel): string {
  const attributes = [...row.attributes, ...row.resourceAttributes.map(([key, value]) => [`@${key}`, value] as const)]
  const printed = attributes.map(
    ([key, value]) => `${JSON.stringify(key)}=${typeOfValue(value)}:${JSON.stringify(textOf(value))}`,
  )
  const ids = `${row.traceId.slice(-6)} ${row.spanId} <- ${row.parentId || 'none'}`
  const fields = [row.startNs, `+${row.durationNs}`, row.kind, row.status, JSON.stringify(row.name), ...printed]
  return `  ${ids} ${fields.join(' ')}`
}

/**
 * Random questions of restricted callers in windows of their own, compared with the reference over what they may see.
 * Most grants leave out steps between visible ones, on which the visibility of the steps below depends.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp, type Whom } from '../support/app.ts'
import { checkSets } from '../support/concurrent-sets.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import { closeIndexStates, type IndexStates, openIndexStates, serversOf } from '../support/index-states.ts'
import { type RandomSearch, randomAttribute, randomSearch } from '../support/random-filter.ts'
import { randomIntegration } from '../support/random-integration.ts'
import { randomWindow } from '../support/random-query.ts'
import { randomRelations } from '../support/random-relations.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces, shapeOf } from '../support/random-traces.ts'
import { keysOf, valuesOf } from '../support/reference-completion.ts'
import { descendants, groupByTrace } from '../support/reference-descendants.ts'
import { explain } from '../support/reference-explanation.ts'
import { type Integration, visiblePopulation } from '../support/reference-integration.ts'
import { countsOfMessages, type Message, searchMessages } from '../support/reference-messages.ts'
import { inOrder, toWireMessageWith } from '../support/reference-page.ts'
import { populationOf, type Window } from '../support/reference-population.ts'
import { linkedFrom } from '../support/reference-skeleton.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { breakdownOf, histogramOf } from '../support/reference-totals.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'

type Schemas = components['schemas']

/** A case is one query on one set of traces, with all questions about its messages and about some single messages. */
const sets = setsOf('granted messages', 10)
const shapes = { largeTraceEvery: 12, manyTracesEvery: 4 }
const allTime = { fromNs: 0n, toNs: 2n ** 63n - 1n }
const dayNs = 86_400_000_000_000n
const spansPerRequest = 5_000
/** The maximum number of keys and values of one page. */
const completedMax = 200
const linkingSpansMax = 100
const tracesPerCase = 2

interface Stored {
  readonly app: TestApp
  readonly traces: RandomTraces
  readonly granted: readonly { readonly id: string; readonly integration: Integration }[]
}

/** A query, what it finds, and a function that sends the request of a restricted caller. */
interface Case extends Stored {
  readonly query: RandomSearch
  readonly body: object
  readonly visible: readonly SpanModel[]
  readonly found: readonly Message[]
  readonly context: string
  send(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly text: string
}

let servers: IndexStates<TestApp>
beforeAll(async () => {
  servers = await openIndexStates((env) => startApp({ env: { LOG_LEVEL: 'error', ...env } }))
})
afterAll(() => closeIndexStates(servers))

const title = `seed ${fuzzSettings.seed}, ${casesOf('granted messages')} queries`

it(`answers to restricted callers equal the reference, ${title}`, {
  timeout: timeoutOf('granted messages'),
}, async () => {
  await checkSets(sets, checkSet)
})

async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
  const random = seededRandom(seed)
  const org = `granted-${seed}-${randomUUID()}`
  const { subject: app, writer, delivered } = serversOf(servers, seed)
  const traces = delivered(randomTraces(random, { org, shape: shapeOf(seed, shapes) }))
  for (const [position, batch] of traces.batches.entries())
    for (let at = 0; at < batch.length; at += spansPerRequest)
      await writer(position).sendSpans(toOtlpJson(batch.slice(at, at + spansPerRequest)), { org, role: 'ingest' })
  const granted: { id: string; integration: Integration }[] = []
  for (const integration of drawGrants(random, traces)) {
    const body = { name: randomUUID(), ...integration }
    const { id } = JSON.parse((await send(app, { org }, 'POST', '/integrations', body)).text) as { id: string }
    await send(app, { org }, 'PUT', `/integrations/${id}/grants`, { subjects: ['grace'] })
    granted.push({ id, integration })
  }
  for (let done = 0; done < cases; done++) {
    const drawn = drawCase(random, { app, traces, granted }, seed)
    await checkPages(drawn)
    await checkTotals(random, drawn)
    await checkCompletion(random, drawn)
    for (const traceId of random.sample([...groupByTrace(traces.rows).keys()], tracesPerCase))
      await checkMessage(random, drawn, traceId)
  }
}

/** Draws integrations, most of which leave out a step above one that they include, and another above that one not. */
function drawGrants(random: Random, traces: RandomTraces): Integration[] {
  const all = populationOf(traces.rows, traces.org, allTime)
  for (let draws = 1; ; draws++) {
    const drawn = Array.from({ length: 1 + random.below(3) }, () => randomIntegration(random, traces))
    const visible = new Set(visiblePopulation(traces.rows, traces.org, allTime, drawn))
    const below = descendants([...visible], all)
    const hidden = all.filter((span) => below.has(span) && !visible.has(span))
    const isCut = [...descendants(hidden, all)].some((span) => visible.has(span))
    if (isCut || (draws > 30 && visible.size > 0)) return drawn
  }
}

function visibleIn({ traces, granted }: Stored, window: Window): SpanModel[] {
  const integrations = granted.map(({ integration }) => integration)
  return visiblePopulation(traces.rows, traces.org, window, integrations)
}

function drawCase(random: Random, stored: Stored, seed: number): Case {
  const { app, traces, granted } = stored
  const window = randomWindow(random, traces)
  const visible = visibleIn(stored, window)
  const within = random.chance(0.4) ? random.pick(granted) : undefined
  const seen = visible.length === 0 ? traces : { ...traces, rows: visible }
  const query: RandomSearch = {
    ...randomSearch(random, seen),
    ...window,
    ...(random.chance(0.25) ? { rows: [] } : {}),
    ...(random.chance(0.2) ? { relations: randomRelations(random, seen, window) } : {}),
    ...(within === undefined ? {} : { integration: within.integration }),
  }
  const body = { ...toRequestBody(query), ...(within === undefined ? {} : { integration_id: within.id }) }
  const whom: Whom = { org: traces.org, role: 'restricted', subject: 'grace' }
  return {
    ...stored,
    query,
    body,
    visible,
    found: searchMessages(visible, query),
    context: JSON.stringify({ seed, body, order: query.order, columns: query.columns, granted }),
    send: (method, path, sent) => send(app, whom, method, path, sent),
  }
}

async function send(app: TestApp, whom: Whom, method: string, path: string, body?: object): Promise<Answer> {
  const response = await app.send(`/api/v1${path}`, { method, json: body, whom })
  return { status: response.status, text: await response.text() }
}

/** Returns the JSON of a response that has no status of a fault. */
async function read<Body>(answer: Promise<Answer>, context: string): Promise<Body> {
  const { status, text } = await answer
  expect(status, `${text} ${context}`).toBe(200)
  return JSON.parse(text) as Body
}

/** The order of services is not specified. */
function inAnyOrder(messages: readonly { readonly services: readonly string[] }[]) {
  return messages.map((message) => ({ ...message, services: message.services.toSorted() }))
}

/** Compares the pages of a search, and an export. */
async function checkPages({ query, body, found, context, send }: Case): Promise<void> {
  const { order, columns = [] } = query
  const limit = Math.max(query.limit, Math.ceil(found.length / 5))
  const messages: Schemas['Message'][] = []
  let cursor: string | null = null
  do {
    const sent = { ...body, columns, limit, cursor, ...(order && { order }) }
    const page: Schemas['MessagePage'] = await read(send('POST', '/messages/search', sent), context)
    messages.push(...page.messages)
    cursor = page.next_cursor
  } while (cursor !== null)
  const expected = (sorted: readonly Message[]) => inAnyOrder(sorted.map(toWireMessageWith(columns)))
  const withoutNone = columns.length > 0 ? messages : messages.map(({ columns: _, ...message }) => message)
  expect(inAnyOrder(withoutNone), context).toEqual(expected(inOrder(found, order ?? 'newest')))
  const { status, text } = await send('POST', '/messages/export', { ...body, columns, order: 'oldest' })
  expect(status, context).toBe(200)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.pop(), context).toEqual({ end: true, count: found.length })
  expect(inAnyOrder(lines), context).toEqual(expected(inOrder(found, 'oldest')))
}

async function checkTotals(random: Random, { traces, query, body, found, context, send }: Case): Promise<void> {
  const seconds = Number((query.toNs - query.fromNs) / 1_000_000_000n) + 2
  const histogram = { step_s: Math.ceil(seconds / 900), group_by: [randomAttribute(random, traces)], limit: 3 }
  const ask = <Body>(path: string, more: object = {}) =>
    read<Body & { summary?: string }>(send('POST', `/messages/${path}`, { ...body, ...more }), context)
  expect(await ask('count'), context).toEqual(countsOfMessages(found))
  const { summary: _, ...overTime } = await ask<object>('histogram', histogram)
  expect(overTime, context).toEqual(histogramOf(found, query, histogram))
  const { summary, ...byAttribute } = await ask<object>('breakdown', { group_by: histogram.group_by, limit: 100 })
  expect(byAttribute, context).toEqual(breakdownOf(found, histogram.group_by, 100))
  expect(summary, context).toMatch(/^Messages.*\.$/s)
}

async function checkCompletion(random: Random, { traces, query, visible, context, send }: Case): Promise<void> {
  const key = random.pick(['service.name', ...traces.keys])
  const listed = async (path: string, more: Readonly<Record<string, string>>) => {
    const range = { from: toRfc3339(query.fromNs), to: toRfc3339(query.toNs), limit: `${completedMax}`, ...more }
    return read<{ items: unknown[] }>(send('GET', `${path}?${new URLSearchParams(range)}`), context)
  }
  const { items: keys } = await listed('/attributes', {})
  expect(keys, context).toEqual(keysOf(visible, 'any').slice(0, completedMax))
  const { items: values } = await listed('/attributes/values', { key })
  expect(values, `${key} ${context}`).toEqual(valuesOf(visible, 'any', key).slice(0, completedMax))
}

/** Compares what is visible of a message at any time and in the window, its explanation, and the links to a span. */
async function checkMessage(random: Random, drawn: Case, traceId: string): Promise<void> {
  const { query, body, visible, found, send } = drawn
  const context = `${traceId} ${drawn.context}`
  const ofTrace = (spans: readonly SpanModel[]) => spans.filter((span) => span.traceId === traceId)
  const [inWindow, retained] = [ofTrace(visible), ofTrace(visibleIn(drawn, allTime))]
  const outside = retained.filter(({ startNs }) => startNs < query.fromNs || startNs >= query.toNs)
  const range = new URLSearchParams({ from: toRfc3339(query.fromNs), to: toRfc3339(query.toNs) })
  await checkSpans(send('GET', `/messages/${traceId}`), retained, context)
  await checkSpans(send('GET', `/messages/${traceId}?${range}`), inWindow, context)

  const explained = send('POST', `/messages/${traceId}/explain`, body)
  if (inWindow.length + outside.length === 0) expect((await explained).status, context).toBe(404)
  else {
    const { matches, anchors, status, outside: counts } = await read<Schemas['MessageExplanation']>(explained, context)
    const reference = explain(inWindow, outside, query)
    const expected = [found.some((message) => message.traceId === traceId), reference.anchors.count, reference.found]
    expect([matches, anchors.count, status.found, counts], context).toEqual([...expected, reference.outside])
  }

  const linked = random.pick(retained.length === 0 ? ofTrace(drawn.traces.rows) : retained)
  const detail = send('GET', `/messages/${traceId}/spans/${linked.spanId}`)
  if (retained.length === 0) return expect((await detail).status, context).toBe(404)
  const { startNs } = linked
  const around = { fromNs: startNs > dayNs ? startNs - dayNs : 0n, toNs: startNs + dayNs }
  const linking = linkedFrom(visibleIn(drawn, around), linked)
  expect((await read<Schemas['SpanDetail']>(detail, context)).linked_from, context).toEqual({
    from: toRfc3339(around.fromNs),
    to: toRfc3339(around.toNs),
    span_count: linking.length,
    spans: linking.slice(0, linkingSpansMax),
  })
}

async function checkSpans(answer: Promise<Answer>, expected: readonly SpanModel[], context: string): Promise<void> {
  if (expected.length === 0) return expect((await answer).status, context).toBe(404)
  const { spans } = await read<Schemas['MessageDetail']>(answer, context)
  expect(spans.map(({ span_id }) => span_id).sort(), context).toEqual(expected.map(({ spanId }) => spanId).sort())
}

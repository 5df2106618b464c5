import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp, type Whom } from '../support/app.ts'
import { checkSets } from '../support/concurrent-sets.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import {
  closeIndexStates,
  type IndexStates,
  openIndexStates,
  type SetServers,
  serversOf,
} from '../support/index-states.ts'
import { randomFilter, randomSearch } from '../support/random-filter.ts'
import { randomRelations } from '../support/random-relations.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import { type RandomTraces, randomTraces } from '../support/random-traces.ts'
import { distinctSpans, groupByTrace } from '../support/reference-descendants.ts'
import { searchMessages } from '../support/reference-messages.ts'
import { inOrder, toWireMessageWith } from '../support/reference-page.ts'
import { populationOf } from '../support/reference-population.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { toOtlpJson } from '../support/span-model.ts'

type Page = components['schemas']['MessagePage']

/** A case is a query on one set of traces. */
const sets = setsOf('exports', 20)

let servers: IndexStates<TestApp>
beforeAll(async () => {
  servers = await openIndexStates((env) => startApp({ env: { LOG_LEVEL: 'error', ...env } }))
})
afterAll(() => closeIndexStates(servers))

async function ask(app: TestApp, whom: Whom, path: string, body?: object, accept = '*/*'): Promise<Response> {
  const response = await app.send(path, { headers: { accept }, json: body, whom })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

async function drawTraces(
  random: Random,
  org: string,
  { writer, delivered }: SetServers<TestApp>,
): Promise<RandomTraces> {
  const traces = delivered(randomTraces(random, { org }))
  for (const [position, batch] of traces.batches.entries())
    if (batch.length > 0) await writer(position).sendSpans(toOtlpJson(batch), { org })
  return traces
}

/** Reads all pages of a search. */
async function pagesJoined(app: TestApp, org: string, body: object): Promise<unknown[]> {
  const messages: unknown[] = []
  let cursor: string | null = null
  do {
    const page = (await (
      await ask(app, { org }, '/api/v1/messages/search', { ...body, limit: 7, cursor })
    ).json()) as Page
    messages.push(...page.messages)
    cursor = page.next_cursor
  } while (cursor !== null)
  return messages
}

const title = `seed ${fuzzSettings.seed}, ${casesOf('exports')} queries`

it(`an export equals the pages joined and the reference, ${title}`, { timeout: timeoutOf('exports') }, async () => {
  await checkSets(sets, checkExports)
})

it(`a message that is sent on as OTLP gives the same answers, ${title}`, {
  timeout: timeoutOf('exports'),
}, async () => {
  await checkSets(sets, checkSentOn)
})

async function checkExports(set: FuzzSet): Promise<void> {
  const random = seededRandom(set.seed)
  const org = `export-${set.seed}`
  const stores = serversOf(servers, set.seed)
  const { subject } = stores
  const traces = await drawTraces(random, org, stores)
  for (let done = 0; done < set.cases; done++) {
    const drawn = randomSearch(random, traces)
    const related = random.chance(0.2) ? { relations: randomRelations(random, traces, drawn) } : {}
    const query = { ...drawn, ...related }
    const { columns } = query
    const body = { ...toRequestBody(query), ...(columns && { columns }) }
    const found = searchMessages(populationOf(traces.rows, org, query), query)
    const order = random.pick(['newest', 'oldest'] as const)
    const limit = random.pick([1, 3, 1_000_000])
    const ordered = inOrder(found, order).slice(0, limit)
    const lines = (
      await (await ask(subject, { org }, '/api/v1/messages/export', { ...body, order, limit })).text()
    ).split('\n')
    expect(lines.pop()).toBe('')
    const answered = lines.map((line) => JSON.parse(line))
    expect(answered, JSON.stringify({ set, body })).toEqual([
      ...ordered.map(toWireMessageWith(columns)),
      { end: true, count: ordered.length },
    ])
    if (order === 'newest' && limit > 3) expect(answered.slice(0, -1)).toEqual(await pagesJoined(subject, org, body))
    const csv = await (
      await ask(subject, { org }, '/api/v1/messages/export', { ...body, order, limit }, 'text/csv')
    ).text()
    const [header = [], ...records] = readCsv(csv)
    const named = [header, ...records].map((record) => record.slice(csvFields))
    const expected = ordered.map(toWireMessageWith(columns ?? []))
    expect(header[0]).toBe('trace_id')
    expect(records.map(([id]) => id)).toEqual(expected.map(({ trace_id }) => trace_id))
    expect(named, JSON.stringify({ set, body })).toEqual([
      (columns ?? []).map(({ attribute_key }) => defused(attribute_key)),
      ...expected.map((message) => valuesOf(message).map(defused)),
    ])
  }
}

/** The number of fields before the columns. */
const csvFields = 11

function valuesOf(message: object): string[] {
  const { columns = [] } = message as { readonly columns?: readonly ({ readonly value: string } | null)[] }
  return columns.map((column) => column?.value ?? '')
}

/** Reads CSV (RFC 4180) as records of fields. */
function readCsv(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') records.push([])
  }
  return records.slice(0, -1)
}

/** Adds the apostrophe to a text that a spreadsheet would take for a formula. */
function defused(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)
  return /^[=+\-@\t\r\n]/.test(text) && !isNumber ? `'${text}` : text
}

async function checkSentOn(set: FuzzSet): Promise<void> {
  const random = seededRandom(set.seed)
  const [org, copy] = [`sent-${set.seed}`, `copy-${set.seed}`]
  const app = servers.indexing
  const traces = await drawTraces(random, org, serversOf(servers, set.seed))
  const traceIds = [...groupByTrace(distinctSpans(traces.rows)).keys()]
  for (const [position, traceId] of traceIds.entries()) {
    const type = position % 2 === 0 ? 'application/json' : 'application/x-protobuf'
    const otlp = await ask(app, { org }, `/api/v1/messages/${traceId}/otlp`, undefined, type)
    expect(otlp.headers.get('content-type')).toContain(type)
    const sent = await app.send('/v1/traces', {
      method: 'POST',
      headers: { 'content-type': type },
      whom: { org: copy, role: 'ingest' },
      body: Buffer.from(await otlp.arrayBuffer()),
    })
    expect([sent.status, (await sent.text()).replace('{}', '')]).toEqual([200, ''])
  }
  const same = async (path: string, body?: object) => {
    const [first, second] = await Promise.all(
      [org, copy].map(async (each) => (await ask(app, { org: each }, path, body)).text()),
    )
    const context = JSON.stringify({ path, body })
    expect(withoutCursor(second ?? ''), context).toBe(withoutCursor(first ?? ''))
  }
  for (const traceId of traceIds) {
    await same(`/api/v1/messages/${traceId}`)
    await same(`/api/v1/messages/${traceId}/otlp`)
  }
  for (let done = 0; done < set.cases; done++) {
    const body = toRequestBody(randomFilter(random, traces))
    await same('/api/v1/messages/count', body)
    await same('/api/v1/messages/search', body)
  }
}

function withoutCursor(text: string): string {
  return text.replace(/"next_cursor":"[^"]*"/, '')
}

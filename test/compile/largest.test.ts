import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import {
  matchersMax,
  messageCounts,
  parseMatchers,
  type RawMatcher,
  type Scope,
  serviceProfiles,
  sliceDiff,
  sliceOf,
  sliceStats,
} from '../../sql/index.ts'
import { conditionsMax, keyCharactersMax, patternCharactersMax, valueCharactersMax } from '../../sql/limits.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { freshDatabase } from '../support/engine.ts'
import { readTexts } from '../support/slice-rows.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawTraces } from '../support/trace-text.ts'

const scope: Scope = { org: 'acme', window: { fromNs: drawnStartNs, toNs: drawnStartNs + 60_000_000_000n } }
const nothing = [{ message_count: '0', error_message_count: '0', matched_step_count: '0', error_step_count: '0' }]

const noStats = nothing.map((counts) => ({ ...counts, services: '' }))

/** Distinct texts of the maximum length. `widest` has the most bytes. */
const longKey = (position: number) => `${position} `.padEnd(keyCharactersMax, 'é')
const longValue = (position: number) => `${position} `.padEnd(valueCharactersMax, 'é')
const widest = (position: number, characters: number) => {
  const number = `${position} `
  return number + '😀'.repeat(characters - number.length)
}
const longPattern = (position: number) => `^${position} [a-z]`.padEnd(patternCharactersMax, 'é')
const longNumber = (position: number) => `${position}.`.padEnd(valueCharactersMax, '7')

function listOf(matcher: (position: number) => RawMatcher): RawMatcher[] {
  return Array.from({ length: matchersMax }, (_, position) => ({
    service: `service-${position}`,
    ...matcher(position),
  }))
}

describe('queries of the maximum size, over no spans', () => {
  let clickhouse: ClickHouse
  beforeAll(async () => {
    // Planning 1,000 rules whose values are as long as allowed takes a busy machine a minute, and 2.4 GiB.
    clickhouse = await freshDatabase({ querySecondsMax: 120, queryMemoryBytesMax: 4 * 2 ** 30 })
  })
  afterAll(() => clickhouse.close())

  it('an integration of patterns under all, with child spans', async () => {
    const matcher = (position: number) => ({
      attribute_key: longKey(position),
      operator: 'regex',
      value: longPattern(position),
      include_descendants: true,
    })
    const slice = sliceOf('all', parseMatchers(listOf(matcher)))
    expect(await readTexts(clickhouse, sliceStats(slice), scope)).toEqual(noStats)
  })

  it('an integration of long values that is granted', async () => {
    const matcher = (position: number) => ({
      attribute_key: longKey(position),
      operator: 'not_contains',
      value: longValue(position),
    })
    const granted = [sliceOf('any', parseMatchers(listOf(matcher)))]
    expect(await readTexts(clickhouse, messageCounts({ rows: [] }), { ...scope, granted })).toEqual(nothing)
  })

  it('ten integrations of values of one attribute that are granted together', async () => {
    const matcher = (integration: number) => (position: number) => ({
      service: 'shop',
      attribute_key: 'tenant',
      operator: 'equals',
      value: `${integration} ${position}`,
    })
    const granted = Array.from({ length: 10 }, (_, integration) =>
      sliceOf('any', parseMatchers(listOf(matcher(integration)))),
    )
    const profiles = serviceProfiles({ rules: [], countedNs: 1_000_000_000n })
    expect(await readTexts(clickhouse, profiles, { ...scope, granted })).toEqual([])
  })

  it('an integration of the widest values, and its change to others', async () => {
    const matcher = (operator: string, from: number) => (position: number) => ({
      attribute_key: widest(from + position, keyCharactersMax),
      operator,
      value: widest(from + position, valueCharactersMax),
    })
    const [before, after] = [
      sliceOf('any', parseMatchers(listOf(matcher('equals', 0)))),
      sliceOf('all', parseMatchers(listOf(matcher('not_equals', matchersMax)))),
    ]
    expect(await readTexts(clickhouse, sliceStats(before), scope)).toEqual(noStats)
    const diff = sliceDiff({ before, after }, { messagesMax: 20, servicesMax: 100 })
    expect(await readTexts(clickhouse, diff, scope)).toEqual([])
  })

  it.each(['gt', 'eq', 'contains'])('a search of rows with %s', async (operator) => {
    const row = (position: number) => ({ attribute_key: longKey(position), operator, value: longNumber(position) })
    const rows = parseMessageRows(Array.from({ length: conditionsMax }, (_, position) => row(position)))
    expect(await readTexts(clickhouse, messageCounts({ rows }), scope)).toEqual(nothing)
  })

  it('a search with child spans inside an integration of numbers', async () => {
    const matcher = (position: number) => ({
      attribute_key: longKey(position),
      operator: 'equals',
      value: longNumber(position),
    })
    const row = { attribute_key: 'amount', operator: 'gt', value: longNumber(1), includeDescendants: true }
    const query = { rows: parseMessageRows([row]), slice: sliceOf('all', parseMatchers(listOf(matcher))) }
    expect(await readTexts(clickhouse, messageCounts(query), scope)).toEqual(nothing)
  })
})

describe('an integration with the largest number of matchers, over HTTP', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'debug', QUERY_SECONDS_MAX: '120' } })
    const spans = drawTraces('service-499:buy  k499=v\n  service-7:pay  k7=v  !\n  other:see', { org: scope.org })
    await app.sendSpans(toOtlpJson(spans), { org: scope.org, role: 'ingest' })
  })
  afterAll(() => app.close())
  const whom = { org: scope.org }

  async function createAndCount(rule_match: 'any' | 'all', matchers: readonly RawMatcher[]): Promise<unknown> {
    const json = { name: `${rule_match} ${matchers.length}`, rule_match, matchers }
    const created = await app.send('/api/v1/integrations', { json, whom })
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: string }
    const range = 'from=2026-01-01T00:00:00Z&to=2026-01-01T00:01:00Z'
    return (await app.send(`/api/v1/integrations/${id}/stats?${range}`, { whom })).json()
  }

  const matchers = listOf((position) => ({ attribute_key: `k${position}`, operator: 'equals', value: 'v' }))
  const found = { trace_count: 1, error_trace_count: 1, span_count: 2, error_span_count: 1 }

  it('under any selects spans that satisfy one matcher', async () => {
    expect(await createAndCount('any', matchers)).toEqual({ ...found, services: ['service-499', 'service-7'] })
  })

  it('under all selects nothing while one matcher is not satisfied', async () => {
    expect(await createAndCount('all', matchers)).toMatchObject({ trace_count: 0, span_count: 0, services: [] })
  })

  async function send(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await app.send(`/api/v1/integrations${path}`, { json: body, whom })
    return response.json() as Promise<Record<string, unknown>>
  }

  const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:01:00Z' }
  // The server asks what is stored once, for all requests.
  const queriesRun = () =>
    app.logLines().filter(({ msg, query }) => msg === 'Query finished' && query !== 'what is stored').length

  it('is previewed in two queries, with a rule for each matcher that includes child spans', async () => {
    const rules = matchers.map((matcher) => ({ ...matcher, include_descendants: true }))
    const before = queriesRun()
    const preview = await send('/preview', { ...range, matchers: rules })
    expect(queriesRun() - before).toBe(2)
    const none = { trace_count: 0, error_trace_count: 0, span_count: 0, error_span_count: 0 }
    const ofRules = matchers.map((_, position) => {
      if (position === 499) return { ...none, ...found }
      return position === 7
        ? { ...none, trace_count: 1, error_trace_count: 1, span_count: 1, error_span_count: 1 }
        : none
    })
    expect(preview).toMatchObject({ ...found, services: ['service-499', 'service-7'], rules: ofRules })
  })

  it('is compared with as many other matchers', async () => {
    const { id } = await send('', { name: 'replaced', rule_match: 'any', matchers })
    const others = listOf((position) => ({ attribute_key: `k${position + 1}`, operator: 'not_equals', value: 'v' }))
    expect(await send(`/${id}/diff`, { ...range, matchers: others })).toMatchObject({
      spans: { entering: 0, leaving: 0, staying: 2 },
      messages: { entering: 0, leaving: 0, staying: 1 },
      service_count: 2,
    })
  })

  it('is refused with four others that are granted to the same caller', async () => {
    const subject = 'granted-all'
    const count = () =>
      app.send('/api/v1/messages/count', { json: range, whom: { ...whom, role: 'restricted', subject } })
    for (let integration = 0; integration < 5; integration++) {
      const { id } = await send('', { name: `granted ${integration}`, rule_match: 'any', matchers })
      const grant = { method: 'PUT', json: { subjects: [subject] }, whom }
      expect((await app.send(`/api/v1/integrations/${id}/grants`, grant)).status).toBe(200)
      if (integration === 0) expect(await (await count()).json()).toMatchObject({ message_count: 1 })
    }
    const refused = await count()
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ code: 'query_too_large' })
  })
})

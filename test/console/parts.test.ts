import { afterEach, expect, it, vi } from 'vitest'
import { type Relation, readWindowSearch, unreadOf } from '../../console/app/search.ts'
import {
  type Integration,
  matcherOperators,
  toDraft,
  toMatchers,
} from '../../console/pages/integrations/editor/draft.ts'
import { choicesOf, listsOf } from '../../console/pages/services/service/override-choices.ts'
import { messagesOfWidget } from '../../console/pages/services/service/widget-messages.ts'
import { formatNs, formatNsTick } from '../../console/parts/duration.ts'
import { isFacetKey } from '../../console/parts/facets/facets.ts'
import { likelySentence } from '../../console/parts/likely-sentence.ts'
import { type MessageRow, messageFields, operatorNames, operators, operatorsOf } from '../../console/parts/operators.ts'
import { logFields, seriesFields, spanFields } from '../../console/parts/record-fields.ts'
import {
  describeWindow,
  formatExactTime,
  formatTime,
  parseWindow,
  widerWindows,
  windowAt,
  windowWith,
} from '../../console/parts/time.ts'
import { builtInFacets } from '../../server/facets/built-in-facets.ts'
import { widgetDefinitions } from '../../server/facets/widgets/definitions.ts'
import { nsOfRfc3339 } from '../../sql/ids-and-times.ts'
import { messageFields as messageFieldNames } from '../../sql/ir/message-query.ts'
import { operatorTable } from '../../sql/operators.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import { parseRelations } from '../../sql/parse/relation.ts'
import { intrinsicKeysOf, logRecords, seriesRecords, spanRecords } from '../../sql/record-kinds/record-kinds.ts'
import { describeMessages } from '../../sql/sentence/describe.ts'

const now = new Date('2026-03-01T09:30:00.250Z')

afterEach(() => {
  vi.unstubAllEnvs()
})

it('operators have the words of the message vocabulary, and need values as the server does', () => {
  const expected = Object.entries(operatorTable).map(([name, { messageWords, spanWords, operand, negated }]) => [
    name,
    messageWords,
    spanWords,
    operand !== 'none',
    negated,
  ])
  const shown = operatorNames.map((name) => {
    const { words, stepWords, needsValue, isNegative } = operators[name]
    return [name, words, stepWords, needsValue, isNegative]
  })
  expect(shown.toSorted()).toEqual(expected.toSorted())
})

it('matchers are offered every operator that they can have, and keep that of a newer server', () => {
  const names = Object.values(operatorTable).flatMap(({ matcherName }) => matcherName ?? [])
  expect(matcherOperators).toHaveLength(names.length)
  const matcherOf = (operator: string) => ({ match_group: operator, service: 'cart', attribute_key: 'k', operator })
  const matchers = [...names, 'not_prefix'].map(matcherOf)
  const draft = toDraft({ name: 'Carts', description: '', rule_match: 'any', matchers } as unknown as Integration)
  expect(toMatchers(draft, false).matchers).toMatchObject(matchers)
})

it('the fields that are suggested are those that the server knows', () => {
  expect(Object.keys(spanFields).toSorted()).toEqual(intrinsicKeysOf(spanRecords).toSorted())
  expect(Object.keys(logFields).toSorted()).toEqual(intrinsicKeysOf(logRecords).toSorted())
  expect(Object.keys(seriesFields).toSorted()).toEqual(intrinsicKeysOf(seriesRecords).toSorted())
  expect(Object.keys(messageFields).toSorted()).toEqual(messageFieldNames.toSorted())
})

it('the attributes that facets show first are suggested before others', () => {
  const keys = builtInFacets.flatMap(({ keyAttributes }) => keyAttributes)
  expect(keys.filter((key) => !isFacetKey(key))).toEqual([])
  expect(['io.kind', 'io.role', 'order.id', 'service.name', 'net.peer.names'].map(isFacetKey)).toEqual([
    ...[true, true],
    ...[false, false, false],
  ])
})

it('a widget that measures failures or durations leads to the failed or to the longest messages', () => {
  const links = [...widgetDefinitions].map(([facet, widgets]) =>
    widgets.map((widget) => {
      const { rows = [], order } = messagesOfWidget({ service: 'cart', facet, widget, rules: [], window: {} })
      return [widget.id, rows.some(({ attribute_key }) => attribute_key === 'status'), order]
    }),
  )
  const expected = [...widgetDefinitions.values()].map((widgets) =>
    widgets.map(({ id, measures: [first] }) => {
      const isOfFailures = first?.measure === 'error_rate' || first?.measure === 'error_count'
      return [id, isOfFailures, first?.measure === 'p50' ? 'longest' : undefined]
    }),
  )
  expect(links).toEqual(expected)
})

it('a row about a field of the message is offered the operators that the server accepts, and no others', () => {
  const isAccepted = (row: object) => {
    try {
      return parseMessageRows([row]).length === 1
    } catch {
      return false
    }
  }
  for (const attribute_key of Object.keys(messageFields)) {
    const row = { attribute_source: 'message', attribute_key, value: '1' }
    const accepted = operatorNames.filter((operator) => isAccepted({ ...row, operator }))
    expect([attribute_key, operatorsOf({ ...row, operator: 'eq' } as MessageRow)]).toEqual([attribute_key, accepted])
  }
})

it('the place of a sentence is as long as the sentence that the server writes', () => {
  const rows = [
    { attribute_key: 'order.id', operator: 'exists' },
    { attribute_source: 'resource', attribute_key: 'region', operator: 'neq', value: 'eu' },
    { attribute_source: 'message', attribute_key: 'span_count', operator: 'gt', value: 5 },
    { attribute_key: 'tenant', operator: 'eq', value: 't-1', includeDescendants: true },
  ] as MessageRow[]
  const step = (name: string) => [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: name }]
  const timed = { kind: 'not_followed_by', from: step('pay'), to: step('ship'), within_ms: 600_000 } as const
  const relations = [timed, { kind: 'called_by', from: [], to: step('cart') }] as Relation[]
  const [from, to] = ['2026-03-01T09:00:00.000Z', '2026-03-01T10:00:00.250Z']
  const described = describeMessages({
    rows: parseMessageRows(rows),
    relations: parseRelations(relations),
    status: 'error',
    window: { fromNs: BigInt(Date.parse(from)) * 1_000_000n, toNs: BigInt(Date.parse(to)) * 1_000_000n },
  })
  const likely = likelySentence('Messages', 'message', { conditions: rows, relations, status: 'error', from, to })
  expect(likely).toBe(described)
})

it.each([
  ['2026-03-01T09:00:00Z', '09:00:00'],
  ['2026-03-01T09:00:00.250Z', '09:00:00.250'],
  ['2026-03-01T09:00:00.250000000Z', '09:00:00.250'],
  ['2026-03-01T09:00:00.000001000Z', '09:00:00.000001'],
  ['2026-03-01T09:00:00.100000001Z', '09:00:00.100000001'],
])('%s has the digits that it needs where it is shown exactly, and in a sentence', (timestamp, clock) => {
  expect(formatExactTime(timestamp, true)).toBe(`2026-03-01 ${clock}`)
  const to = '2027-01-01T00:00:00Z'
  const [fromNs, toNs] = [timestamp, to].map((each) => nsOfRfc3339(each) ?? 0n) as [bigint, bigint]
  const described = describeMessages({ rows: [], window: { fromNs, toNs } })
  expect(described).toBe(`Messages, from 2026-03-01T${clock}Z to ${to}.`)
  expect(likelySentence('Messages', 'message', { conditions: [], from: timestamp, to })).toBe(described)
})

it.each([
  ['45m', { last: '45m' }],
  ['last 3 hours', { last: '3h' }],
  ['the past week', { last: '1w' }],
  ['last minute', { last: '1m' }],
  ['last 3h', { last: '3h' }],
  ['90 mins', { last: '90m' }],
  ['2 hrs', { last: '2h' }],
  ['last 0099 hours', { last: '99h' }],
  ['2026-03-01 09:00:00 to 2026-03-01 09:00:00.5', { from: '2026-03-01T09:00:00Z', to: '2026-03-01T09:00:00.5Z' }],
  ['Today', { from: '2026-03-01T00:00:00.000Z', to: '2026-03-01T09:30:00.250Z' }],
  ['yesterday', { from: '2026-02-28T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' }],
  ['2026-03-01 09:00 to 2026-03-01 10:00', { from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' }],
  [
    '2026-03-01T09:00:00.123456789Z to 2026-03-01T11:00:00+01:00',
    { from: '2026-03-01T09:00:00.123456789Z', to: '2026-03-01T10:00:00Z' },
  ],
])('%s is understood as a time range', (words, expected) => {
  expect(parseWindow(words, now, true)).toEqual(expected)
})

it.each([
  '',
  'soon',
  '0m',
  'last 0 minutes',
  'last 999999 weeks',
  '2026-03-01 10:00 to 2026-03-01 09:00',
  '2026-03-01 09:00:00.5 to 2026-03-01 09:00:00',
  '2026-13-01 to 2026-14-01',
  '2026-02-30 to 2026-03-02 09:00',
  'last fortnight',
  'hour',
  '5ms',
  '3',
  'last 3',
])('%j is not understood as a time range', (words) => {
  expect(parseWindow(words, now, true)).toBeUndefined()
})

it('only timestamps of an address are its time range', () => {
  const window = { from: '2026-03-01T09:00:00.123456789Z', to: '2026-03-01T11:00:00+01:00' }
  expect(readWindowSearch(window)).toEqual(window)
  expect(readWindowSearch({ from: 'abc', to: 'def' })).toEqual({})
  expect(readWindowSearch({ ...window, to: 'def' })).toEqual({})
  expect(unreadOf({ ...window, unread: { last: 'soon' } }, { from: window.from })).toEqual({
    unread: { last: 'soon', to: window.to },
  })
})

it('every wider window contains that of the query', () => {
  const queried = { from: '2026-03-01T09:00:00.123456789Z', to: '2026-03-01T10:00:00.5Z' }
  const wider = widerWindows(queried, now, true)
  expect(wider.map(({ words }) => words)).toEqual([
    'the time from 2026-03-01 08:29:59 to 2026-03-01 10:30:02',
    'the time from 2026-03-01 04:29:56 to 2026-03-01 14:30:05',
    'the time from 2026-02-28 21:30:00 to 2026-03-01 21:30:01',
    'the time from 2026-02-25 21:30:00 to 2026-03-04 21:30:01',
  ])
  for (const { window } of wider) {
    expect([String(window.from) < queried.from, String(window.to) > queried.to]).toEqual([true, true])
  }
  const relative = widerWindows({ last: '6h' }, now, true)
  expect(relative.map(({ window }) => window)).toEqual([{ last: '24h' }, { last: '7d' }])
})

it('a relative window ends with the second that contains now', () => {
  expect(windowAt({ last: '15m' }, now)).toEqual({ from: '2026-03-01T09:15:01.000Z', to: '2026-03-01T09:30:01.000Z' })
})

it('a window that ends at a moment does not contain it', () => {
  const window = { from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' }
  const hourAround = { from: '2026-03-01T09:30:00.000Z', to: '2026-03-01T10:30:00.000Z' }
  expect(windowWith(window.from, window, now)).toEqual(window)
  expect(windowWith(window.to, window, now)).toEqual(hourAround)
})

it('an absolute window is described in the chosen time zone', () => {
  const window = { from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' }
  expect(describeWindow(window, true)).toBe('2026-03-01 09:00:00 to 2026-03-01 10:00:00')
})

it.each([
  ['Europe/Berlin', '2026-10-25T00:30:00', '2026-10-25 02:30:00+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00', '2026-10-25 02:30:00+01:00'],
  ['Europe/Berlin', '2026-10-24T23:59:59', '2026-10-25 01:59:59'],
  ['Europe/Berlin', '2026-10-25T02:00:00', '2026-10-25 03:00:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00', '2026-03-29 03:00:00'],
  ['America/St_Johns', '2026-11-01T04:00:00', '2026-11-01 01:30:00-02:30'],
  // There the clocks are set back by half an hour.
  ['Australia/Lord_Howe', '2026-04-04T14:45:00', '2026-04-05 01:45:00+11:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00', '2026-04-05 01:45:00+10:30'],
])('in %s, %s is %s, with its offset where the clocks show it twice', (zone, time, expected) => {
  vi.stubEnv('TZ', zone)
  expect(formatTime(`${time}Z`, false)).toBe(expected)
  const window = { from: `${time}Z`, to: '2026-12-01T00:00:00Z' }
  expect(parseWindow(describeWindow(window, false), now, false)).toEqual(window)
})

it('a timestamp keeps its nanoseconds', () => {
  expect(formatTime('2026-03-01T09:00:00.000000003Z', true, 9)).toBe('2026-03-01 09:00:00.000000003')
})

it.each([
  [0, '0 ns'],
  [3, '3 ns'],
  [1_000, '1 µs'],
  [3_000, '3 µs'],
  [1_500_000, '1.5 ms'],
  [184_000_000, '184 ms'],
  [461_600_000, '461.6 ms'],
  [2_040_000_000, '2.04 s'],
  [60_000_000_000, '1 min 0 s'],
  [90_600_000_000, '1 min 31 s'],
  [184_000_000_000, '3 min 4 s'],
  [7_260_000_000_000, '2 h 1 min'],
  [172_740_000_000_000, '47 h 59 min'],
  [172_800_000_000_000, '2 d 0 h'],
  [345_604_440_000_000_000, '4,000 d 1 h'],
])('%i ns is shown as %s', (ns, text) => {
  expect(formatNs(ns)).toBe(text)
})

it.each([
  [0.477, '0 ns'],
  [244.1, '244 ns'],
  [32_768e6, '32.8 s'],
  [5_940e9, '1.65 h'],
  [402_653_184_000e6, '4,660 d'],
])('%d ns is %s beside an axis', (ns, text) => {
  expect(formatNsTick(ns)).toBe(text)
})

it('saving the overrides of a service keeps those of deleted facets', () => {
  const facet = (slug: string, override: 'include' | 'exclude' | null) => ({
    slug,
    override,
    detected: false,
    effective: override === 'include',
    state: [],
  })
  const overrides = {
    include: ['deleted', 'db-output'],
    exclude: ['also-deleted', 'http-input'],
    facets: [facet('http-input', 'exclude'), facet('worker', null), facet('db-output', 'include')],
    version: 3,
  }
  const chosen = new Map([...choicesOf(overrides), ['worker', 'include'] as const])
  expect(listsOf(chosen)).toEqual({
    include: ['worker', 'db-output', 'deleted'],
    exclude: ['http-input', 'also-deleted'],
  })
})

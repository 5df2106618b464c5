import { afterEach, expect, it, vi } from 'vitest'
import { readWindowSearch, unreadOf } from '../../console/app/search.ts'
import { likelySentence } from '../../console/parts/conditions/likely-sentence.ts'
import { formatNs, formatNsTick } from '../../console/parts/time/duration.ts'
import { parseWindow } from '../../console/parts/time/parse-window.ts'
import {
  describeWindow,
  formatExactTime,
  formatNearTime,
  formatTime,
  widerWindows,
  windowAt,
  windowWith,
} from '../../console/parts/time/time.ts'
import { nsOfRfc3339 } from '../../sql/ids-and-times.ts'
import { describeMessages } from '../../sql/sentence/describe.ts'

const now = new Date('2026-03-01T09:30:00.250Z')

afterEach(() => {
  vi.unstubAllEnvs()
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
  ['9:05 to 09:15:30', { from: '2026-03-01T09:05:00Z', to: '2026-03-01T09:15:30Z' }],
  ['09:05 to now', { from: '2026-03-01T09:05:00Z', to: '2026-03-01T09:30:00.250Z' }],
  ['09:45 - 10:15', { from: '2026-02-28T09:45:00Z', to: '2026-02-28T10:15:00Z' }],
  ['23:50 to 0:10', { from: '2026-02-28T23:50:00Z', to: '2026-03-01T00:10:00Z' }],
  ['2026-01-31 23:50 to 00:10', { from: '2026-01-31T23:50:00Z', to: '2026-02-01T00:10:00Z' }],
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

it('a time of another year has its year', () => {
  expect(formatNearTime('2026-01-01T00:00:00.5Z', now, true, 3)).toBe('01-01 00:00:00.500')
  expect(formatNearTime('2025-12-31T23:59:59Z', now, true)).toBe('2025-12-31 23:59:59')
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

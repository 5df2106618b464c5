import { afterEach, describe, expect, it, vi } from 'vitest'
import { align, describeAt, isolated, windowOf } from '../../console/parts/chart/series.ts'
import { roundUp, timeTicks } from '../../console/parts/chart/ticks.ts'
import {
  formatExactly,
  formatTicks,
  formatValue,
  formatWhole,
  headingUnit,
  stepSecondsOf,
  unitWords,
} from '../../console/parts/chart/units.ts'
import { exportedWords } from '../../console/parts/export/exported-words.ts'
import { formatShare } from '../../console/parts/share-words.ts'
import { within } from '../../console/parts/time/time.ts'
import { exportedMax } from '../../server/telemetry/export/record-export.ts'

const window = { from: '2026-03-01T09:00:30Z', to: '2026-03-01T09:05:00Z' }
const minute = 60_000
const start = Date.parse('2026-03-01T09:00:00Z')
const at = (minutes: number) => new Date(start + minutes * minute).toISOString()

describe('the values of a chart', () => {
  it('keeps a missing bucket as a gap, also at the ends of the window', () => {
    const aligned = align(
      [
        { name: 'a', points: [[at(1), 5]] },
        { name: 'b', points: [[at(1), 7], [at(3), 0]] }, // biome-ignore format: one line
      ],
      window,
      minute,
    )
    expect(aligned.times.map((time) => (time - start) / minute)).toEqual([0, 1, 2, 3, 4])
    expect(aligned.values).toEqual([
      [null, 5, null, null, null],
      [null, 7, null, 0, null],
    ])
  })

  it('has no times without any point', () => {
    expect(align([{ name: 'a', points: [] }], window, minute).times).toEqual([])
  })

  it('keeps points that are not at multiples of the step where they are', () => {
    const points = [0, 60, 120].map((second) => [`2026-03-01T09:0${second / 60}:47Z`, second] as const)
    const { times, values } = align([{ name: 'a', points }], { from: '2026-03-01T09:00:47Z', to: at(3) }, minute)
    expect(times).toHaveLength(3)
    expect(values).toEqual([[0, 60, 120]])
    const uneven = [0, 138].map((second) => [new Date(start + second * 1_000).toISOString(), second] as const)
    const filled = align([{ name: 'a', points: uneven }], { from: at(0), to: at(3) }, minute)
    expect(filled.times.map((time) => (time - start) / 1_000)).toEqual([0, 60, 138])
  })

  it('finds the values that no line reaches', () => {
    expect(isolated([1, null, 0, null, 2, 3, undefined, 4])).toEqual([0, 2, 7])
  })

  it('zooms to whole buckets within the window', () => {
    const aligned = align([{ name: 'a', points: [[at(1), 5]] }], window, minute)
    expect(windowOf(aligned, 3, 1, window)).toEqual({ from: at(1), to: at(4) })
    expect(windowOf(aligned, 0, 4, window)).toEqual(window)
    expect(within({ fromMs: 0, toMs: start + minute }, window)).toEqual({ from: window.from, to: at(1) })
    const exact = { from: '2026-03-01T09:00:00.000000001Z', to: '2026-03-01T10:00:00.000000002Z' }
    expect(within({ fromMs: Date.parse(exact.from), toMs: Date.parse(exact.to) }, exact)).toEqual(exact)
  })

  it('says values, gaps and bands at a time', () => {
    const series = [
      { name: 'p50', points: [[at(1), 12]] as const },
      { name: 'p99', points: [] },
    ]
    const bands = [{ kind: 'firing' as const, from: at(1), to: at(2), label: 'firing' }]
    const aligned = align(series, window, minute)
    const said = describeAt(aligned, 1, { series, bands, unit: 'ms', isUtc: true })
    expect(said).toBe('2026-03-01 09:01:00 · p50 12 ms · p99 no data · firing')
    const atEnd = describeAt(aligned, 2, { series, bands, unit: 'ms', isUtc: true })
    expect(atEnd).toBe('2026-03-01 09:02:00 · p50 no data · p99 no data')
  })
})

describe('units', () => {
  it.each([
    [0.000_003, 's', '3 µs'],
    [184, 'ms', '184 ms'],
    [0, 'ms', '0 ms'],
    [-5, 'ms', '−5 ms'],
    [3_355_443.2, 'By', '3.2 MiB'],
    [2_048, 'By/s', '2 KiB/s'],
    [2, 'KiBy', '2 KiB'],
    [0.000_012_3, '', '1.230e-5'],
    [1_204, '{request}', '1,204'],
    [12.5, '{request}/s', '12.5/s'],
    [12.5, '%', '12.5%'],
    [1_234_567, '1', '1,234,567'],
    [0.123_456, '', '0.1235'],
    [21.5, 'Cel', '21.5 °C'],
    [7, 'widgets', '7 widgets'],
  ])('writes %d %s as %s', (value, unit, words) => {
    expect(formatValue(value, unit)).toBe(words)
  })

  it('whole numbers beyond 2^53 keep all their digits', () => {
    expect(formatWhole('18446744073709551615')).toBe('18,446,744,073,709,551,615')
    expect(formatWhole('-9223372036854775808', 'By')).toBe('−9,223,372,036,854,775,808 B')
  })

  it('names units for headings and shortens values for axes', () => {
    expect(['{request}/s', 'By', '1', '/s', 'ms'].map(unitWords)).toEqual(['request/s', 'B', '', 'per s', 'ms'])
    expect(['{request}/s', 'By', 'By/s', 'ms', '%', 'V'].map(headingUnit)).toEqual([
      'request/s',
      '',
      'per s',
      '',
      '',
      'V',
    ])
    expect(formatTicks([12_345_678, 12.5], '{request}/s')).toEqual(['12.3M', '12.5'])
  })

  it('writes values of an axis with all their digits where short ones would read alike', () => {
    expect(formatTicks([4_501_200, 4_501_300], 'By')).toEqual(['4,501,200 B', '4,501,300 B'])
    expect(formatTicks([4_501_200, 4_501_300], 'By/s')).toEqual(['4,501,200 B', '4,501,300 B'])
    expect(formatTicks([99.98, 99.99], '%')).toEqual(['99.98%', '99.99%'])
    expect(formatTicks([12_345_000, 12_345_500], '{request}/s')).toEqual(['12,345,000', '12,345,500'])
  })
})

it.each([
  [0.5, 'ms', '0.5 ms'],
  [999, 'ms', '999 ms'],
  [20_000, 'ms', '20 s'],
  [-1_234, 'ms', '−1.234 s'],
  [1_000.1, 'ms', '1,000.1 ms'],
  [20_000, '1', '20,000'],
])('a threshold of %d in the unit %s reads %s', (threshold, unit, words) => {
  expect(formatExactly(threshold, unit)).toBe(words)
})

it('an export says how many records it has at most', () => {
  expect(exportedWords('messages')).toBe(`All messages that match, at most ${exportedMax.toLocaleString('en')}`)
})

it('only no messages are 0%, and only all are 100%', () => {
  const written = [0, 1 / 3_000, 0.0342, 0.17, 0.995, 0.9999, 1].map(formatShare)
  expect(written).toEqual(['0%', '<0.1%', '3.4%', '17%', '99.5%', '>99.9%', '100%'])
})

it.each([
  [0, 1],
  [3, 5],
  [20, 20],
  [21, 50],
])('an axis of counts up to %i ends at %i', (count, end) => {
  expect(roundUp(count)).toBe(end)
})

it.each([
  ['2026-03-01T10:00:00Z', 30],
  ['2026-03-01T10:00:01Z', 60],
  ['2026-08-01T09:00:00Z', 172_800],
])('a chart that ends at %s has buckets of %i s', (to, seconds) => {
  expect(stepSecondsOf({ from: '2026-03-01T09:00:00Z', to })).toBe(seconds)
})

describe('the times below a chart', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const textsOf = (zone: string, from: string, to: string, countMax: number) => {
    vi.stubEnv('TZ', zone)
    return timeTicks(Date.parse(from), Date.parse(to), countMax, false).map(({ text }) => text)
  }

  it('begin each day at midnight, also after the clocks change', () => {
    const days = ['10-31', '12:00', '11-01', '12:00', '11-02', '12:00', '11-03']
    expect(textsOf('America/New_York', '2026-10-31T04:00:00Z', '2026-11-03T05:00:00Z', 8)).toEqual(days)
    const spring = ['03-28', '12:00', '03-29', '12:00', '03-30']
    expect(textsOf('Europe/Berlin', '2026-03-27T23:00:00Z', '2026-03-29T22:00:00Z', 6)).toEqual(spring)
    expect(textsOf('Asia/Kathmandu', '2026-03-01T18:00:00Z', '2026-03-02T19:00:00Z', 3)).toEqual([
      '03-02',
      '12:00',
      '03-03',
    ])
  })

  it('are as many as may be', () => {
    const hour = ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z'] as const
    expect(textsOf('UTC', ...hour, 4)).toEqual(['09:00', '09:15', '09:30', '09:45', '10:00'])
  })

  it('have their years where they are months apart, and are few in any time range', () => {
    expect(textsOf('UTC', '2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 3)).toEqual(['2024-12-18', '2025-12-18'])
    expect(textsOf('UTC', '1970-01-01T00:00:00Z', '2262-01-01T00:00:00Z', 8).length).toBeLessThanOrEqual(9)
  })

  it('count the hour twice that occurs twice, with its offsets', () => {
    const hours = ['11-01', '01:00-04:00', '01:00-05:00', '02:00']
    expect(textsOf('America/New_York', '2026-11-01T04:00:00Z', '2026-11-01T07:00:00Z', 5)).toEqual(hours)
  })
})

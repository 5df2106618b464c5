import {
  type Comparison,
  comparedAttributes,
  comparedCarriers,
  comparedCounts,
  comparedOrigins,
  comparedPairs,
  comparedPaths,
  comparedValueCounts,
  type MessageFilter,
  type MessageRow,
  newestOfSide,
  type Slice,
  type Sql,
  scopedValueCounts,
  type TimeWindow,
  tracesAcross,
} from '../../sql/index.ts'

interface Subject {
  readonly window: TimeWindow
  /** Decimal texts. */
  readonly traceIds: readonly [string, ...string[]]
  readonly rows: readonly MessageRow[]
  /** A filter with relations. */
  readonly related: MessageFilter
}

/** Makes the queries of a comparison: with all other messages, of two windows, and of few messages. */
export function comparisonQueries(subject: Subject): Record<string, (slice: Slice) => Sql> {
  const { window, traceIds, rows, related } = subject
  const attributes = (['any', 'span', 'resource'] as const).map((source) => ({ source, key: 'tenant' }))
  const rest = (slice: Slice): Comparison => ({
    a: { query: { rows, slice }, window, oldest: { startedNs: window.fromNs, traceId: '0' } },
    b: { query: { rows: [], slice }, window, isRest: true },
  })
  const earlier = { fromNs: window.fromNs - 1n, toNs: window.toNs }
  /** A second after the middle of the 20 minutes of test/cluster/telemetry.ts, when its first trace is under way. */
  const underWayNs = window.fromNs + ((window.toNs - window.fromNs) * 601n) / 1_200n
  /** Few messages, and the newest of all others. */
  const newest = (slice: Slice): Comparison => {
    const oldest = { startedNs: window.fromNs, traceId: '0' }
    return {
      a: { query: { rows, slice }, window: earlier, traceIds },
      b: { query: { rows: [], slice }, window, oldest, begunEarlier: traceIds, isRest: true },
    }
  }
  const few: Comparison = {
    a: { query: { rows }, window, traceIds },
    b: { query: { rows: [] }, window, isRest: false, traceIds: [traceIds[0]] },
  }
  const ofTwoWindows = (slice: Slice): Comparison => ({
    a: { query: { ...related, slice }, window },
    b: { query: { rows, slice }, window: earlier, isRest: false },
  })
  return {
    comparedAttributes: () => comparedAttributes(few, { a: 2, b: 1 }),
    comparedCarriers: (slice) => comparedCarriers(rest(slice), attributes),
    comparedCounts: (slice) => comparedCounts(ofTwoWindows(slice), 10),
    comparedOrigins: (slice) => comparedOrigins(newest(slice)),
    comparedPairs: (slice) => comparedPairs(newest(slice), attributes, { a: 3, b: 7 }, true),
    comparedPaths: (slice) => comparedPaths(ofTwoWindows(slice)),
    comparedValueCounts: (slice) => comparedValueCounts(rest(slice), attributes),
    scopedValueCounts: (slice) => scopedValueCounts(newest(slice), attributes),
    tracesAcross: () => tracesAcross(window, underWayNs, 3),
    newestOfSide: (slice) => newestOfSide(rest(slice), 'b', 1),
  }
}

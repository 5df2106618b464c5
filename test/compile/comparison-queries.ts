import {
  type Comparison,
  comparedAttributes,
  comparedCarriers,
  comparedMessages,
  comparedOrigins,
  comparedPairs,
  comparedPaths,
  comparedValueCounts,
  type FoundSides,
  type MessageFilter,
  type MessageRow,
  newestCompared,
  type Slice,
  type Sql,
  scopedValueCounts,
  type TimeWindow,
} from '../../sql/index.ts'

interface Subject {
  readonly window: TimeWindow
  /** Decimal texts. */
  readonly traceIds: readonly [string, ...string[]]
  readonly rows: readonly MessageRow[]
  /** A filter with relations. */
  readonly related: MessageFilter
}

/** Makes the queries of a comparison: of messages in one window, in two windows, and of few messages. */
export function comparisonQueries(subject: Subject): Record<string, (slice: Slice) => Sql> {
  const { window, traceIds, rows, related } = subject
  const attributes = (['any', 'span', 'resource'] as const).map((source) => ({ source, key: 'tenant' }))
  const rest = (slice: Slice): Comparison => ({
    a: { query: { rows, slice }, window },
    b: { query: { rows: [], slice }, window, isRest: true },
  })
  const earlier = { fromNs: window.fromNs - 1n, toNs: window.toNs }
  const ofTwoWindows = (slice: Slice): Comparison => ({
    a: { query: { ...related, slice }, window },
    b: { query: { rows, slice }, window: earlier, isRest: false },
  })
  const { fromNs } = window
  const few: FoundSides = { a: { window, fromNs, traceIds }, b: { window, fromNs, traceIds: [traceIds[0]] } }
  const inOneWindow: FoundSides = { a: { window, fromNs }, b: { window, fromNs } }
  const inTwoWindows: FoundSides = { a: { window: earlier, fromNs: earlier.fromNs, traceIds }, b: { window, fromNs } }
  return {
    comparedAttributes: () => comparedAttributes(few, { a: 2, b: 1 }),
    comparedCarriers: () => comparedCarriers(inOneWindow, attributes),
    comparedMessages: (slice) => comparedMessages(ofTwoWindows(slice), 10),
    comparedOrigins: () => comparedOrigins(inTwoWindows),
    comparedPairs: () => comparedPairs(inTwoWindows, attributes, { a: 3, b: 7 }, true),
    comparedPaths: () => comparedPaths(inOneWindow),
    comparedValueCounts: () => comparedValueCounts(inOneWindow, attributes),
    scopedValueCounts: () => scopedValueCounts(inOneWindow, attributes),
    newestCompared: (slice) => newestCompared(rest(slice), 10),
  }
}

/**
 * Shortens the windows of a comparison that compares only the newest messages of a side, so that its cost does not grow
 * with the time before them.
 */
import { type ComparedSide, type Comparison, haveOneWindow, smaller, type TimeWindow, tracesAcross } from '#sql'
import { readInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import { comparisonLabel } from './comparison-run.ts'

/**
 * Begins the windows of both sides at the oldest message to compare, as far as the sides are read together. A message
 * has no span before its start, so a shorter window has all spans of the compared messages. Windows stay as they are
 * if more than `tracesMax` traces have spans on both sides of that time.
 */
export async function shortenWindows(
  telemetry: ScopedTelemetry,
  { a, b }: Comparison,
  tracesMax: number,
): Promise<Comparison> {
  if (isSearched(a) && isSearched(b) && haveOneWindow(a, b)) {
    const part = a.oldest && b.oldest && (await partFrom(smaller(a.oldest.startedNs, b.oldest.startedNs), a.window))
    return { a: { ...a, ...part }, b: { ...b, ...part } }
  }
  const [partOfA, partOfB] = await Promise.all([partOf(a), partOf(b)])
  return { a: { ...a, ...partOfA }, b: { ...b, ...partOfB } }

  async function partOf({ oldest, window }: ComparedSide) {
    return oldest && partFrom(oldest.startedNs, window)
  }

  async function partFrom(fromNs: bigint, window: TimeWindow) {
    const query = tracesAcross(window, fromNs, tracesMax + 1)
    const traces = await readInScope<{ trace_id: string }>(telemetry, query, comparisonLabel)
    if (traces.length > tracesMax) return undefined
    return { window: { ...window, fromNs }, begunEarlier: traces.map(({ trace_id }) => trace_id) }
  }
}

/** Reports whether the messages of a side are searched for, because their ids are not known. */
function isSearched({ traceIds }: ComparedSide): boolean {
  return traceIds === undefined
}

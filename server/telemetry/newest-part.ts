/** Bounds what a completion reads: keys and values are suggested from the newest spans, however many there are. */
import { bucketNs, type RecordCountRow, recordsWithin } from '#sql'
import { resultWithin, type ScopedTelemetry, withWindow } from './scope.ts'

/**
 * Returns the telemetry of the newest part of a window that contains at least half of `spanLimit` spans, and no more
 * than `spanLimit` unless a single bucket does; or that of the whole window if it contains no more, or if no limit is
 * given. A restricted caller gets the whole window, because where a part begins depends on spans that the caller may
 * not see.
 */
export async function newestPart(telemetry: ScopedTelemetry, spanLimit: number | undefined): Promise<ScopedTelemetry> {
  const { window, granted } = telemetry.scope
  if (spanLimit === undefined || granted !== undefined) return telemetry
  if ((await countSpans(telemetry, window.fromNs, spanLimit)) !== 'too many') return telemetry
  // Parts begin with a bucket. Rows of `spans` are sorted by buckets, so the estimate counts whole ones.
  let tooEarly = window.fromNs / bucketNs
  let bucket = window.toNs / bucketNs + 1n
  while (bucket - tooEarly > 1n) {
    const middle = (tooEarly + bucket) / 2n
    const count = await countSpans(telemetry, middle * bucketNs, spanLimit)
    if (count === 'too many') tooEarly = middle
    else if (count * 2 >= spanLimit) return beginningAt(telemetry, middle * bucketNs)
    else bucket = middle
  }
  return beginningAt(telemetry, tooEarly * bucketNs)
}

function beginningAt(telemetry: ScopedTelemetry, fromNs: bigint): ScopedTelemetry {
  return fromNs <= telemetry.scope.window.fromNs ? telemetry : withWindow(telemetry, { fromNs })
}

/**
 * Counts the spans of a window from a time on. ClickHouse estimates from its index how many rows that would read, and
 * reads none if they are too many.
 */
async function countSpans(telemetry: ScopedTelemetry, fromNs: bigint, spansMax: number): Promise<number | 'too many'> {
  const result = await resultWithin<RecordCountRow>(telemetry, recordsWithin('spans', { fromNs }), 'spans of a part', {
    rowsReadMax: spansMax,
  })
  return result === 'too large' ? 'too many' : Number(result.rows[0]?.record_count)
}

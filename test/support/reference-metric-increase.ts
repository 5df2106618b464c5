/** The increase of a series from point to point, for any temporality (OpenTelemetry, data model of metrics). */
import type { PointModel, SeriesModel } from './metric-model.ts'
import { type Bucket, bucketDifference, bucketsOf } from './reference-metric-buckets.ts'

/** How long before the window the previous point of a series is searched: ten minutes. */
const lookbackNs = 600_000_000_000n

export interface Increase {
  readonly series: SeriesModel
  readonly timeNs: bigint
  /** What a sum grew by, or the number of observations of other kinds. */
  readonly amount: number
  /** The time in which the series grew; undefined if it is unknown. */
  readonly tookNs: bigint | undefined
  /** The sum of the observations; undefined if it is unknown. */
  readonly sum: number | undefined
  readonly buckets: readonly Bucket[]
}

/** Returns the increases of points that have a value, by time. Points before the lookback are ignored. */
export function increasesOf(
  series: SeriesModel,
  points: readonly PointModel[],
  { fromNs, toNs }: { readonly fromNs: bigint; readonly toNs: bigint },
): Increase[] {
  if (series.kind === 'gauge') return []
  const beginNs = fromNs - lookbackNs
  const known = points.filter(({ timeNs }) => beginNs <= timeNs && timeNs < toNs)
  return known.flatMap((point, index) => {
    const before = known.slice(0, index)
    const isDelta = series.temporality === 'delta' && series.kind !== 'summary'
    const grown = isDelta ? deltaGrowth(point, before) : cumulativeGrowth(series, point, before, beginNs)
    if (grown === undefined) return []
    const { since, sinceNs } = grown
    // Two senders of one series cover the same time, which must not be counted twice.
    const lastNs = before.at(-1)?.timeNs ?? 0n
    const tookNs = sinceNs === undefined ? undefined : point.timeNs - (sinceNs > lastNs ? sinceNs : lastNs)
    return [{ series, timeNs: point.timeNs, tookNs, ...difference(series, point, since) }]
  })
}

interface Growth {
  /** The point to subtract; undefined if all of the point is new. */
  readonly since?: PointModel
  readonly sinceNs: bigint | undefined
}

/** A start that is unset, or not before the point, is unknown. */
function startOf({ startNs, timeNs }: PointModel): bigint | undefined {
  return startNs > 0n && startNs < timeNs ? startNs : undefined
}

function deltaGrowth(point: PointModel, before: readonly PointModel[]): Growth {
  return { sinceNs: startOf(point) ?? before.at(-1)?.timeNs }
}

/** Another start means another count from zero. With the same start, a count that went down was reset. */
function cumulativeGrowth(
  series: SeriesModel,
  point: PointModel,
  before: readonly PointModel[],
  beginNs: bigint,
): Growth | undefined {
  const since = before.findLast(({ startNs }) => startNs === point.startNs)
  if (since !== undefined) {
    const began = canReset(series) && isLess(totalOf(series, point), totalOf(series, since))
    return began ? { sinceNs: since.timeNs } : { since, sinceNs: since.timeNs }
  }
  const startNs = startOf(point)
  // A count that began before every point that is read may have been reported before.
  return startNs !== undefined && startNs >= beginNs ? { sinceNs: startNs } : undefined
}

function canReset({ kind, monotonic }: SeriesModel): boolean {
  return kind !== 'sum' || monotonic
}

function totalOf({ kind }: SeriesModel, { value, count }: PointModel): bigint | number {
  return kind === 'sum' ? value : count
}

function isLess(left: bigint | number, right: bigint | number): boolean {
  return typeof left === typeof right ? left < right : Number(left) < Number(right)
}

function difference(series: SeriesModel, point: PointModel, since: PointModel | undefined) {
  const amount = minus(totalOf(series, point), since === undefined ? undefined : totalOf(series, since))
  const buckets = since === undefined ? bucketsOf(series.kind, point) : bucketDifference(series.kind, point, since)
  return { amount, sum: sumDifference(point.sum, since === undefined ? 0 : since.sum), buckets }
}

function minus(total: bigint | number, before: bigint | number | undefined): number {
  if (before === undefined) return Number(total)
  // Integers are subtracted before they are rounded.
  if (typeof total === 'bigint' && typeof before === 'bigint') return Number(total - before)
  return Number(total) - Number(before)
}

function sumDifference(sum: number | undefined, before: number | undefined): number | undefined {
  if (sum === undefined || before === undefined || !Number.isFinite(sum) || !Number.isFinite(before)) return undefined
  return sum - before
}

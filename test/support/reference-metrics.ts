/**
 * Metric queries, evaluated series by series and point by point, as docs/semantics.md (section 7), the data model of
 * OpenTelemetry and the API document define them.
 */
import type { MetricKind, PointModel, SeriesModel } from './metric-model.ts'
import { type CarriedValue, textOf } from './reference-attribute.ts'
import { type Condition, holdsOf } from './reference-condition.ts'
import { groupBy } from './reference-descendants.ts'
import { bucketPercentile } from './reference-metric-buckets.ts'
import { type Increase, increasesOf } from './reference-metric-increase.ts'
import { byGroupValues } from './reference-order.ts'
import type { Window } from './reference-population.ts'
import { carriedValue } from './span-model.ts'

export type SeriesSource = 'any' | 'point' | 'resource' | 'intrinsic'
export type SeriesCondition = Condition<SeriesSource>
export type Aggregation = 'avg' | 'min' | 'max' | 'sum' | 'count' | 'rate' | 'p50' | 'p95' | 'p99' | 'last'

export interface MetricQuestion extends Window {
  readonly metric: string
  readonly conditions: readonly SeriesCondition[]
  readonly aggregation: Aggregation
  readonly bucketNs: bigint
  readonly groupBy: readonly { readonly attribute_source?: SeriesSource; readonly attribute_key: string }[]
  readonly groupsMax: number
}

export interface MetricLine {
  readonly kind: MetricKind
  readonly unit: string
  readonly group: readonly (string | null)[]
  /** When each time bucket begins, and its value. Buckets without a value are left out. */
  readonly points: readonly (readonly [bucketNs: bigint, value: number])[]
}

const intrinsics: Readonly<Record<string, (series: SeriesModel) => CarriedValue>> = {
  service: (series) => ({ stringValue: series.service }),
  unit: (series) => ({ stringValue: series.unit }),
  scope_name: (series) => ({ stringValue: series.scopeName }),
}

export const seriesIntrinsicKeys: readonly string[] = Object.keys(intrinsics)

export function readSeriesAttribute(series: SeriesModel, source: SeriesSource, key: string): CarriedValue | undefined {
  switch (source) {
    case 'point':
      return carriedValue(series.attributes, key)
    case 'resource':
      return carriedValue(series.resourceAttributes, key)
    case 'any':
      return carriedValue(series.attributes, key) ?? carriedValue(series.resourceAttributes, key)
    case 'intrinsic':
      return Object.hasOwn(intrinsics, key) ? intrinsics[key]?.(series) : undefined
  }
}

/** Reports whether a condition is true of a series (docs/semantics.md, sections 3 and 7). */
export function seriesHolds(condition: SeriesCondition, series: SeriesModel): boolean {
  return holdsOf<SeriesSource>(condition, (source, key) => readSeriesAttribute(series, source, key))
}

/** Adds numbers. */
type Add = (values: readonly number[]) => number

/**
 * Returns lines by kind and unit, and the groups of each by their largest value, then by name. With `sumOfMagnitudes`
 * to add, values are no less than the sums in which their rounding errors arise.
 */
export function metricLines(stored: readonly SeriesModel[], question: MetricQuestion, add: Add = sumOf): MetricLine[] {
  const chosen = stored
    .filter(({ metric }) => metric === question.metric)
    .filter((series) => question.conditions.every((condition) => seriesHolds(condition, series)))
  return [...groupBy(chosen, ({ kind, unit }) => JSON.stringify([kind, unit])).values()].flatMap((ofStream) =>
    linesOfStream(ofStream, question, add),
  )
}

function linesOfStream(series: readonly SeriesModel[], question: MetricQuestion, add: Add): MetricLine[] {
  const { kind = 'gauge', unit = '' } = series[0] ?? {}
  return [...groupBy(series, (one) => JSON.stringify(groupOf(one, question)))]
    .map(([group, own]) => ({ kind, unit, group: JSON.parse(group), points: pointsOf(kind, own, question, add) }))
    .filter(({ points }) => points.length > 0)
    .sort((left, right) => peak(right) - peak(left) || byGroupValues(left.group, right.group))
    .slice(0, question.groupsMax)
}

function groupOf(series: SeriesModel, { groupBy: attributes }: MetricQuestion): (string | null)[] {
  return attributes.map(({ attribute_source = 'any', attribute_key }) => {
    const carried = readSeriesAttribute(series, attribute_source, attribute_key)
    return carried === undefined ? null : textOf(carried)
  })
}

export function peak({ points }: MetricLine): number {
  return Math.max(...points.map(([, value]) => value))
}

/** The points and increases in one time bucket of one group. */
interface Bucket {
  readonly points: readonly PointModel[]
  readonly increases: readonly Increase[]
}

function pointsOf(kind: MetricKind, series: readonly SeriesModel[], question: MetricQuestion, add: Add) {
  const { fromNs, toNs, bucketNs } = question
  const bucketOf = (timeNs: bigint) => String((timeNs / bucketNs) * bucketNs)
  const isInWindow = ({ timeNs }: { timeNs: bigint }) => fromNs <= timeNs && timeNs < toNs
  const points = groupBy(series.flatMap(usablePoints).filter(isInWindow), ({ timeNs }) => bucketOf(timeNs))
  const increases = groupBy(
    series.flatMap((one) => increasesOf(one, usablePoints(one), question)).filter(isInWindow),
    ({ timeNs }) => bucketOf(timeNs),
  )
  return [...points]
    .map(([begin, own]) => [BigInt(begin), { points: own, increases: increases.get(begin) ?? [] }] as const)
    .map(([begin, bucket]) => [begin, bucketValue(kind, question.aggregation, bucket, add)] as const)
    .filter((point): point is readonly [bigint, number] => point[1] !== undefined && Number.isFinite(point[1]))
    .sort(([left], [right]) => Number(left - right))
}

/** Returns points by time, the first one sent for each time, without points that have no finite value. */
function usablePoints({ kind, points }: SeriesModel): PointModel[] {
  const isNumber = kind === 'gauge' || kind === 'sum'
  return points
    .filter(({ timeNs }, index) => points.findIndex((other) => other.timeNs === timeNs) === index)
    .filter(({ noValue, value }) => !noValue && (!isNumber || Number.isFinite(Number(value))))
    .sort((left, right) => Number(left.timeNs - right.timeNs))
}

function bucketValue(kind: MetricKind, aggregation: Aggregation, bucket: Bucket, add: Add): number | undefined {
  if (aggregation === 'rate') return rateOf(bucket.increases, add)
  if (kind === 'gauge' || kind === 'sum') return numberOf(kind, aggregation, bucket, add)
  if (kind === 'summary' && isOrderStatistic(aggregation)) return summaryOf(aggregation, bucket.points)
  return observedOf(aggregation, bucket, add)
}

function numberOf(
  kind: MetricKind,
  aggregation: Aggregation,
  { points, increases }: Bucket,
  add: Add,
): number | undefined {
  const values = points.map(({ value }) => Number(value)).sort((left, right) => left - right)
  switch (aggregation) {
    case 'avg':
      return add(values) / values.length
    case 'min':
      return values[0]
    case 'max':
      return values.at(-1)
    case 'count':
      return values.length
    case 'sum':
      return kind === 'gauge'
        ? add(values)
        : addSome(
            increases.map(({ amount }) => amount),
            add,
          )
    case 'last': {
      const latest = points.reduce((last, { timeNs }) => (timeNs > last ? timeNs : last), 0n)
      return Math.max(...points.filter(({ timeNs }) => timeNs === latest).map(({ value }) => Number(value)))
    }
    default:
      return values[Math.ceil((values.length * Number(aggregation.slice(1))) / 100) - 1]
  }
}

function observedOf(aggregation: Aggregation, { points, increases }: Bucket, add: Add): number | undefined {
  const summed = increases.filter(({ sum }) => sum !== undefined)
  switch (aggregation) {
    case 'count':
      return addSome(
        increases.map(({ amount }) => amount),
        add,
      )
    case 'sum':
      return addSome(
        summed.map(({ sum }) => sum as number),
        add,
      )
    case 'avg':
      return add(summed.map(({ sum }) => sum as number)) / add(summed.map(({ amount }) => amount))
    case 'min':
      return extreme(points.map(({ min }) => min))[0]
    case 'max':
      return extreme(points.map(({ max }) => max)).at(-1)
    case 'last':
      return undefined
    default: {
      const buckets = increases.flatMap((increase) => increase.buckets)
      return bucketPercentile(buckets, shareOf(aggregation))
    }
  }
}

/** The sender computed the quantiles of a summary, so of several only the largest can be returned. */
function summaryOf(aggregation: Aggregation, points: readonly PointModel[]): number | undefined {
  const share = aggregation === 'min' ? 0 : aggregation === 'max' ? 1 : shareOf(aggregation)
  const reported = points.flatMap(({ quantiles }) => quantiles.filter(([at]) => at === share).map(([, value]) => value))
  return aggregation === 'min' ? extreme(reported)[0] : extreme(reported).at(-1)
}

function isOrderStatistic(aggregation: Aggregation): boolean {
  return aggregation === 'min' || aggregation === 'max' || aggregation.startsWith('p')
}

/** Returns increases per second of the time that they are known to have taken, summed over the series of a group. */
function rateOf(increases: readonly Increase[], add: Add): number | undefined {
  const grown = new Set(increases.map(({ series }) => series))
  const rates = [...grown].flatMap((one) => {
    const timed = increases.filter(({ series, tookNs }) => series === one && tookNs !== undefined)
    const tookNs = timed.reduce((total, increase) => total + (increase.tookNs ?? 0n), 0n)
    return tookNs === 0n ? [] : [add(timed.map(({ amount }) => amount)) / (Number(tookNs) / 1e9)]
  })
  return addSome(rates, add)
}

function shareOf(aggregation: Aggregation): number {
  return Number(aggregation.slice(1)) / 100
}

function extreme(values: readonly (number | undefined)[]): number[] {
  return values.filter((value): value is number => Number.isFinite(value)).sort((left, right) => left - right)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Adds the distances of numbers from zero. */
export function sumOfMagnitudes(values: readonly number[]): number {
  return sumOf(values.map(Math.abs))
}

function addSome(values: readonly number[], add: Add): number | undefined {
  return values.length === 0 ? undefined : add(values)
}

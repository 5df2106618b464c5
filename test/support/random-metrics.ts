import {
  type BucketSide,
  type MetricKind,
  makePoint,
  makeSeries,
  type PointModel,
  type SeriesModel,
} from './metric-model.ts'
import { randomOperand } from './random-operand.ts'
import type { Random } from './random-source.ts'
import { randomEdge, randomStart } from './random-times.ts'
import { randomKeys, randomText, randomValue } from './random-values.ts'
import { textOf } from './reference-attribute.ts'
import {
  type Aggregation,
  type MetricQuestion,
  readSeriesAttribute,
  type SeriesCondition,
  type SeriesSource,
  seriesHolds,
  seriesIntrinsicKeys,
} from './reference-metrics.ts'
import { operators } from './reference-operators.ts'
import type { Attributes, OtlpValue } from './span-model.ts'

export interface RandomMetrics {
  readonly keys: readonly string[]
  readonly startNs: bigint
  readonly series: readonly SeriesModel[]
}

const secondNs = 1_000_000_000n
const notFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
const sources: readonly SeriesSource[] = ['any', 'point', 'resource', 'intrinsic']

/** Draws distinct series of one organization. Names, keys, values and times coincide often. */
export function randomMetrics(random: Random): RandomMetrics {
  const startNs = randomStart(random, 3_600n * secondNs) + 1_200n * secondNs
  const keys = randomKeys(random)
  const values = Array.from({ length: 8 }, () => randomValue(random))
  const drawn = Array.from({ length: 2 + random.below(10) }, () => randomSeries(random, { keys, values, startNs }))
  const byIdentity = new Map(drawn.map((series) => [identityOf(series), series]))
  return { keys, startNs, series: [...byIdentity.values()] }
}

/** Series with equal identities are one series. Gauges and summaries are sent without a temporality. */
function identityOf({ points: _, ...series }: SeriesModel): string {
  const hasTemporality = series.kind !== 'gauge' && series.kind !== 'summary'
  const byKey = (attributes: Attributes) => [...attributes].sort(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify({
    ...series,
    temporality: hasTemporality ? series.temporality : undefined,
    attributes: byKey(series.attributes),
    resourceAttributes: byKey(series.resourceAttributes),
  })
}

interface Pool {
  readonly keys: readonly string[]
  readonly values: readonly OtlpValue[]
  readonly startNs: bigint
}

function randomSeries(random: Random, { keys, values, startNs }: Pool): SeriesModel {
  const kind: MetricKind = random.weighted({ gauge: 3, sum: 5, histogram: 3, exponential_histogram: 3, summary: 1 })
  const attributesOf = (countMax: number): Attributes =>
    random
      .sample(keys, random.below(countMax + 1))
      .filter((key) => key !== 'service.name')
      .map((key) => [key, random.pick(values)] as const)
  const series = makeSeries({
    metric: random.chance(0.8) ? `m.${kind}` : 'Metrik 😀',
    unit: random.pick(['', '', 'ms', '{p0:String}']),
    temporality: random.pick(['delta', 'cumulative', 'cumulative']),
    monotonic: kind !== 'sum' || random.chance(0.8),
    kind,
    service: random.pick(['shop', 'bank']),
    scopeName: random.pick(['', 'lib']),
    scopeVersion: random.pick(['', '', '2']),
    attributes: attributesOf(3),
    resourceAttributes: attributesOf(1),
  })
  return { ...series, points: randomPoints(random, series, startNs) }
}

/** A sender of a series: when it began to count, and its last count. */
interface Sender {
  readonly beganNs: bigint
  readonly last: PointModel | undefined
}

/**
 * Draws points from a quarter of an hour before the start: resets with and without a start time, two senders, gaps,
 * flags, duplicates and late points.
 */
function randomPoints(random: Random, series: SeriesModel, startNs: bigint): PointModel[] {
  const intervalS = random.pick([10, 15, 60])
  const isStarted = random.chance(0.75)
  const isDelta = series.temporality === 'delta' && series.kind !== 'summary'
  let timeNs = startNs - BigInt(random.below(900)) * secondNs + randomEdge(random)
  let sender: Sender = { beganNs: timeNs - BigInt(random.below(3) * intervalS) * secondNs, last: undefined }
  let other: Sender = { ...sender, beganNs: sender.beganNs - 1n }
  const points: PointModel[] = []
  for (let left = 3 + random.below(60); left > 0; left--) {
    const event = random.weighted({ none: 76, reset: 4, drop: 4, gap: 4, noValue: 3, duplicate: 3, odd: 2, swap: 4 })
    if (event === 'gap') timeNs += BigInt(60 + random.below(1_200)) * secondNs
    if (event === 'swap') [sender, other] = [other, sender]
    if (event === 'reset') sender = { beganNs: timeNs + BigInt(random.below(intervalS)) * secondNs, last: undefined }
    if (event === 'drop') sender = { ...sender, last: undefined }
    if (event !== 'duplicate') timeNs += BigInt(intervalS) * secondNs
    const startedNs = isDelta && random.chance(0.9) ? timeNs - BigInt(intervalS) * secondNs : sender.beganNs
    const grown = grownPoint(random, series, isDelta ? undefined : sender.last)
    const point = makePoint({ ...grown, timeNs, startNs: isStarted ? startedNs : 0n, noValue: event === 'noValue' })
    const isOdd = event === 'odd' && (series.kind === 'sum' || series.kind === 'gauge')
    points.push(isOdd ? { ...point, value: random.pick(notFinite) } : point)
    if (event !== 'noValue' && !isOdd && event !== 'duplicate') sender = { ...sender, last: point }
  }
  return random.chance(0.3) ? random.sample(points, points.length) : points
}

/** Numbers whose sums are exact as doubles, so that the order of addition makes no difference. */
function grownPoint(random: Random, series: SeriesModel, since: PointModel | undefined): Partial<PointModel> {
  switch (series.kind) {
    case 'gauge':
      return { value: grownGauge(random) }
    case 'sum':
      return { value: grownValue(random, series, since) }
    case 'histogram':
      return grownHistogram(random, since)
    case 'exponential_histogram':
      return grownExponential(random, since)
    case 'summary': {
      const count = (since?.count ?? 0) + random.below(20)
      const quantiles = random.sample([0, 0.5, 0.95, 0.99, 1], random.below(6))
      return {
        count,
        sum: (since?.sum ?? 0) + random.below(400) / 4,
        quantiles: quantiles.map((quantile) => [
          quantile,
          random.chance(0.1) ? random.pick(notFinite) : random.below(80) / 8,
        ]),
      }
    }
  }
}

const large = 2n ** 60n

function grownGauge(random: Random): bigint | number {
  if (random.chance(0.02)) return random.pick([2n ** 63n - 1n, 2 ** 63, -0])
  return random.chance(0.5) ? BigInt(random.below(200) - 100) : (random.below(2_000) - 1_000) / 8
}

function grownValue(random: Random, { monotonic }: SeriesModel, since: PointModel | undefined): bigint | number {
  const step = random.below(100) - (monotonic ? 0 : 50)
  const before = since?.value ?? random.pick([0n, 0n, 0n, 0, 2_000n, 2_000.5, large])
  if (typeof before === 'bigint') return before + BigInt(step)
  return before + step / 4
}

function grownHistogram(random: Random, since: PointModel | undefined): Partial<PointModel> {
  const isOther = since === undefined || random.chance(0.03)
  const bounds = isOther ? random.pick([[0, 5, 10], [1, 10, 100, 1000], [-5, 0], [2.5], []]) : since.bounds
  const positions = bounds.length === 0 ? random.below(2) : bounds.length + 1
  const before = isOther ? [] : since.bucketCounts
  const length = isOther ? positions : before.length
  const bucketCounts = Array.from({ length }, (_, at) => (before[at] ?? 0) + random.below(6))
  const count = length === 0 ? (since?.count ?? 0) + random.below(9) : totalOf(bucketCounts)
  return { bounds, bucketCounts, count, ...randomExtremes(random, since) }
}

function grownExponential(random: Random, since: PointModel | undefined): Partial<PointModel> {
  const coarser = random.weighted({ '0': 85, '1': 10, '-1': 5 })
  const first = random.chance(0.2) ? random.pick([20, -10, -11]) : random.below(6) - 2
  const scale = since === undefined ? first : since.scale - Number(coarser)
  const positive = grownSide(random, since?.positive, Number(coarser))
  const negative = grownSide(random, since?.negative, Number(coarser))
  const zeroCount = (since?.zeroCount ?? 0) + random.below(3)
  const zeroThreshold = random.chance(0.9) ? (since?.zeroThreshold ?? 0) : 0.125
  const count = totalOf(positive.counts) + totalOf(negative.counts) + zeroCount
  return { scale, positive, negative, zeroCount, zeroThreshold, count, ...randomExtremes(random, since) }
}

function grownSide(random: Random, since: BucketSide | undefined, coarser: number): BucketSide {
  if (since === undefined)
    return { offset: random.below(9) - 4, counts: Array.from({ length: random.below(6) }, () => random.below(5)) }
  const counts = new Map<number, number>()
  for (const [at, count] of since.counts.entries()) {
    const index = Math.floor((since.offset + at) / 2 ** coarser)
    counts.set(index, (counts.get(index) ?? 0) + count)
  }
  const positions = [...counts.keys(), ...(random.chance(0.1) ? [Math.max(0, ...counts.keys()) + 1] : [])]
  if (positions.length === 0) return since
  const offset = Math.min(...positions)
  const length = Math.max(...positions) - offset + 1
  return { offset, counts: Array.from({ length }, (_, at) => (counts.get(offset + at) ?? 0) + random.below(4)) }
}

function randomExtremes(random: Random, since: PointModel | undefined) {
  // A sum that is not finite would make all later sums unknown.
  const before = since?.sum !== undefined && Number.isFinite(since.sum) ? since.sum : 0
  const sum = before + (random.below(400) - 100) / 4
  return {
    sum: random.weighted({ known: 90, none: 5, odd: 5 }) === 'known' ? sum : random.pick([undefined, ...notFinite]),
    ...(random.chance(0.7) ? { min: random.below(40) / 8, max: 5 + random.below(80) / 8 } : {}),
    ...(random.chance(0.03) ? { min: random.pick(notFinite), max: random.pick(notFinite) } : {}),
  }
}

function totalOf(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

const aggregations: readonly Aggregation[] = ['avg', 'min', 'max', 'sum', 'count', 'rate', 'p50', 'p95', 'p99', 'last']

/** Draws a question about the metric of one of the series. Most of its conditions choose that series. */
export function randomMetricQuestion(random: Random, metrics: RandomMetrics): MetricQuestion {
  const target = random.pick(metrics.series)
  const fromNs = metrics.startNs + BigInt(random.below(600)) * secondNs + BigInt(random.below(2))
  const conditions = Array.from({ length: random.below(3) }, () => conditionAbout(random, metrics, target))
  return {
    metric: target.metric,
    conditions,
    aggregation: random.pick([...aggregations, 'rate', 'sum', 'p95']),
    fromNs,
    toNs: fromNs + BigInt(60 + random.below(1_800)) * secondNs,
    bucketNs: random.pick([10n, 60n, 300n, 86_400n]) * secondNs,
    groupBy: Array.from({ length: random.below(3) }, () => attributeOf(random, metrics)),
    groupsMax: random.pick([1, 2, 50, 50]),
  }
}

function attributeOf(random: Random, { keys }: RandomMetrics) {
  const attribute_source = random.pick(sources)
  return { attribute_source, attribute_key: random.pick(attribute_source === 'intrinsic' ? seriesIntrinsicKeys : keys) }
}

function conditionAbout(random: Random, metrics: RandomMetrics, target: SeriesModel): SeriesCondition {
  const draws = Array.from({ length: 5 }, (): SeriesCondition => {
    const { attribute_source, attribute_key } = attributeOf(random, metrics)
    const operator = random.pick(operators)
    const carried = readSeriesAttribute(target, attribute_source, attribute_key)
    const text = carried === undefined || random.chance(0.2) ? randomText(random) : textOf(carried)
    const value = randomOperand(random, operator, text)
    return { attribute_source, attribute_key, operator, ...(value === undefined ? {} : { value }) }
  })
  return draws.find((condition) => seriesHolds(condition, target)) ?? (draws[0] as SeriesCondition)
}

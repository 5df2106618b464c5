import { afterAll, beforeAll, describe, it } from 'vitest'
import { type MetricSubject, openMetricSubject, toMetricQuery } from '../metrics/metric-subject.ts'
import { casesOf, type FuzzSet, fuzzSettings, setsOf, timeoutOf } from '../support/fuzz-settings.ts'
import type { PointModel, SeriesModel } from '../support/metric-model.ts'
import { type RandomMetrics, randomMetricQuestion, randomMetrics } from '../support/random-metrics.ts'
import { type Random, seededRandom } from '../support/random-source.ts'
import {
  type MetricLine,
  type MetricQuestion,
  metricLines,
  peak,
  sumOfMagnitudes,
} from '../support/reference-metrics.ts'

const setsAtOnce = 2
/** A case is one query on one set of series. */
const sets = setsOf('metrics', 20)

describe(`random series and queries, seed ${fuzzSettings.seed}, ${casesOf('metrics')} pairs`, () => {
  let subject: MetricSubject
  const differences: string[] = []

  beforeAll(async () => {
    subject = await openMetricSubject()
  })
  afterAll(() => subject.close())

  it('values, groups, buckets and their order equal the reference', { timeout: timeoutOf('metrics') }, async () => {
    for (let at = 0; at < sets.length && differences.length < fuzzSettings.differencesMax; at += setsAtOnce)
      await Promise.all(sets.slice(at, at + setsAtOnce).map((set) => checkSet(set)))
    if (differences.length > 0) throw new Error(differences.slice(0, fuzzSettings.differencesMax).join('\n\n'))
  })

  async function checkSet({ seed, cases }: FuzzSet): Promise<void> {
    const random = seededRandom(seed)
    const metrics = randomMetrics(random)
    for (const batch of batchesOf(metrics)) await subject.store(`metrics-${seed}`, batch)
    for (let done = 0; done < cases; done++) await checkQuestion(random, metrics, { seed, cases })
  }

  async function checkQuestion(random: Random, metrics: RandomMetrics, { seed, cases }: FuzzSet): Promise<void> {
    const question = randomMetricQuestion(random, metrics)
    // A query that no kind of the selected series supports is rejected; the reference returns an empty result.
    const answered = (await subject.ask(`metrics-${seed}`, question)) ?? []
    const difference = differenceOf(metrics, question, answered)
    if (difference !== undefined)
      differences.push(
        `Repeat with FUZZ_SEED=${seed} FUZZ_CASES=${cases}: ${difference}\n${describeQuestion(question)}`,
      )
  }
})

/** Sends a repeated point after the point that it repeats. */
function batchesOf({ series }: RandomMetrics): SeriesModel[][] {
  const isFirst = (point: PointModel, index: number, points: readonly PointModel[]) =>
    points.findIndex(({ timeNs }) => timeNs === point.timeNs) === index
  const firsts = series.map((one) => ({ ...one, points: one.points.filter(isFirst) }))
  const repeated = series.map((one) => ({
    ...one,
    points: one.points.filter((...place) => !isFirst(...place)),
  }))
  return [firsts, repeated.filter(({ points }) => points.length > 0)]
}

/** Ignores the order of groups whose values differ only by rounding; either of them may be left out. */
function differenceOf(
  { series }: RandomMetrics,
  question: MetricQuestion,
  answered: readonly MetricLine[],
): string | undefined {
  const expected = metricLines(series, question)
  const everyGroup = { ...question, groupsMax: 1_000 }
  const all = new Map(metricLines(series, everyGroup).map((line) => [titleOf(line), line]))
  const magnitudes = new Map(
    metricLines(series, everyGroup, sumOfMagnitudes).map((line) => [titleOf(line), new Map(line.points)]),
  )
  const isSame =
    expected.length === answered.length &&
    inOrder(expected).every((line, index) => hasSamePeak(line, inOrder(answered)[index] as MetricLine)) &&
    answered.every((line) => isSameLine(line, all.get(titleOf(line)), magnitudes.get(titleOf(line))))
  return isSame ? undefined : `expected ${describeLines(expected)}\nanswered ${describeLines(answered)}`

  function hasSamePeak(left: MetricLine, right: MetricLine): boolean {
    const largest = [left, right].flatMap((line) => [...(magnitudes.get(titleOf(line))?.values() ?? [])])
    return isClose(peak(left), peak(right), Math.max(0, ...largest))
  }
}

function titleOf({ kind, unit, group }: MetricLine): string {
  return JSON.stringify([kind, unit, group])
}

/** Sorts by kind and unit, whose order is not specified. */
function inOrder(lines: readonly MetricLine[]): MetricLine[] {
  const stream = ({ kind, unit }: MetricLine) => `${kind} ${unit}`
  return [...lines].sort((left, right) => (stream(left) < stream(right) ? -1 : Number(stream(left) > stream(right))))
}

function isSameLine(
  { points }: MetricLine,
  expected: MetricLine | undefined,
  magnitudes: ReadonlyMap<bigint, number> = new Map(),
): boolean {
  if (points.length !== expected?.points.length) return false
  return points.every(([at, value], index) => {
    const [expectedAt, expectedValue] = expected.points[index] as MetricLine['points'][number]
    return at === expectedAt && isClose(value, expectedValue, magnitudes.get(at))
  })
}

/**
 * Compares values up to rounding. The order in which doubles are added is not specified, so the rounding error of a
 * small value is that of the large ones that cancel each other out in it.
 */
function isClose(left: number, right: number, magnitude = 0): boolean {
  return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right)) + 1e-15 * magnitude
}

function describeLines(lines: readonly MetricLine[]): string {
  return JSON.stringify(lines, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

function describeQuestion(question: MetricQuestion): string {
  return JSON.stringify(toMetricQuery(question))
}

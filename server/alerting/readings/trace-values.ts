import {
  type MeasuredSpans,
  measuredSeries,
  measuredValues,
  parseConditions,
  type Slice,
  type Sql,
  type TimeWindow,
  type TraceMeasure,
  traceMeasureTable,
} from '#sql'
import { readInScope } from '../../telemetry/scope.ts'
import { nsOfMs } from '../../telemetry/time-units.ts'
import type { AlertRuleContent } from '../rules/alert-rule-record.ts'
import type { Reading } from '../rules/transition.ts'
import type { EvaluationTimes, OrgTelemetry } from './alert-rule-reader.ts'
import { windowBefore } from './moments.ts'

/** Of a rule that was checked: its measure is one of spans. */
export function toMeasured({ measure, conditions, service }: AlertRuleContent, slice?: Slice): MeasuredSpans {
  return {
    measure: measure as TraceMeasure,
    conditions: parseConditions(conditions),
    ...(service === undefined ? {} : { service }),
    ...(slice === undefined ? {} : { slice }),
  }
}

/** The values at a moment of what is measured over one and the same window, of the spans in the slice `within`. */
export async function readValues(
  telemetry: OrgTelemetry,
  measured: readonly MeasuredSpans[],
  { atMs, windowS, within }: { readonly atMs: number; readonly windowS: number; readonly within?: Slice | undefined },
): Promise<Reading[]> {
  const [row] = await read(telemetry, measuredValues(measured, within), windowBefore(atMs, windowS))
  return measured.map((_, index) => row?.[`value_${index}`] ?? null)
}

/**
 * The values of one rule at many moments. They are one query, unless the measure gathers every span and a span would be
 * gathered for too many moments at once: that takes memory by the moment.
 */
export async function readSeries(
  telemetry: OrgTelemetry,
  measured: MeasuredSpans,
  windowS: number,
  { fromMs, stepMs, points }: EvaluationTimes,
): Promise<Reading[]> {
  const windowsOfSpan = Math.ceil((windowS * 1_000) / stepMs)
  const isLight = !traceMeasureTable[measured.measure].growsWithSpans || windowsOfSpan <= gatheredAtOnceMax
  const pointsAtOnce = isLight ? points : gatheredAtOnceMax
  const values: Reading[] = []
  for (let first = 0; first < points; first += pointsAtOnce) {
    const moments = { fromMs: fromMs + first * stepMs, stepMs, points: Math.min(pointsAtOnce, points - first) }
    values.push(...(await readAtOnce(telemetry, measured, windowS, moments)))
  }
  return values
}

/** Moments for which a query gathers one and the same span. */
const gatheredAtOnceMax = 24

async function readAtOnce(
  telemetry: OrgTelemetry,
  measured: MeasuredSpans,
  windowS: number,
  { fromMs, stepMs, points }: EvaluationTimes,
): Promise<Reading[]> {
  const window = { fromNs: windowBefore(fromMs, windowS).fromNs, toNs: nsOfMs(fromMs + (points - 1) * stepMs) }
  const series = { fromNs: nsOfMs(fromMs), intervalNs: nsOfMs(stepMs), points, windowNs: nsOfMs(windowS * 1_000) }
  const rows = await read(telemetry, measuredSeries(measured, series), window)
  const byPoint = new Map(rows.map(({ point, value_0 }) => [Number(point), value_0 ?? null]))
  const nothing = traceMeasureTable[measured.measure].withoutSpans
  return Array.from({ length: points }, (_, point) => (byPoint.has(point) ? (byPoint.get(point) ?? null) : nothing))
}

/** The same values, a query for each moment. */
export async function readMoments(
  telemetry: OrgTelemetry,
  measured: MeasuredSpans,
  { windowS, within }: { readonly windowS: number; readonly within: Slice },
  { fromMs, stepMs, points }: EvaluationTimes,
): Promise<Reading[]> {
  const values: Reading[] = []
  for (let point = 0; point < points; point += 1) {
    const [value = null] = await readValues(telemetry, [measured], { atMs: fromMs + point * stepMs, windowS, within })
    values.push(value)
  }
  return values
}

type Row = Readonly<Record<string, number | null>>

function read(telemetry: OrgTelemetry, query: Sql, window: TimeWindow): Promise<Row[]> {
  const { clickhouse, org, signal } = telemetry
  return readInScope({ clickhouse, scope: { org, window }, signal }, query, 'alert rules')
}

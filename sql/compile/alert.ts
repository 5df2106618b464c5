/**
 * Values of alert rules: rules that look at the same spans share one scan, and the past of one rule is one query. A value
 * is a Float64, or NULL where there was nothing to measure.
 */
import { allOf, fromScoped, int64, list, perShard, type Sql, sql, text } from '../fragment.ts'
import { measuredColumn, ruleColumn } from '../identifier.ts'
import type { AlertSeries, MeasuredSpans, TraceMeasure } from '../ir/alert.ts'
import type { Slice } from '../ir/slice.ts'
import { textList } from './attribute.ts'
import { compileSpanCondition } from './condition.ts'
import { p95Level } from './percentile.ts'
import { compileInSlice } from './slice.ts'

/** What is gathered of the spans that a rule selects. */
interface Gathered {
  readonly spans: Sql
  readonly errors: Sql
  readonly messages: Sql
  readonly p95Ns: Sql
}

const measures: Readonly<Record<TraceMeasure, (of: Gathered) => Sql>> = {
  span_count: ({ spans }) => spans,
  error_count: ({ errors }) => errors,
  error_rate: ({ errors, spans }) => sql`${errors} / nullIf(${spans}, 0)`,
  p95_ms: ({ p95Ns, spans }) => sql`if(${spans} = 0, NULL, ${p95Ns} / 1000000)`,
  message_count: ({ messages }) => messages,
}

/** Columns of the rows that everything is gathered from. */
const gatheredColumns: Sql = sql`status, duration_ns, trace_id`

/**
 * Selects one row of `value_0`, `value_1`, …: what is measured of the spans that each selects. `within`: all of them look
 * at spans of this slice only, which is then decided once for all.
 */
export function measuredValues(measured: readonly MeasuredSpans[], within?: Slice): Sql {
  const selected = measured.map((one, index) => sql`${compileSelected(one)} AS ${ruleColumn(index)}`)
  const values = measured.map(({ measure }, index) => valueColumn(measure, gatherIf(ruleColumn(index)), index))
  const rows = sql`SELECT ${list([gatheredColumns, ...selected])} FROM ${fromScoped('spans', inSlice(within))}`
  return sql`SELECT ${list(values)} FROM ${perShard(rows)}`
}

/**
 * Selects `point` (from 0) and `value_0` of one rule at many moments; moments whose window holds no selected span are left
 * out. The scope must reach from the window of the first moment to the last moment. Spans are gathered by the moments
 * whose windows they are in, so each is read once. A slice that needs other spans of the trace is not to be asked here:
 * it is another one in each window.
 */
export function measuredSeries(measured: MeasuredSpans, series: AlertSeries): Sql {
  const rows = sql`SELECT ${gatheredColumns}, ${momentColumns(series)} FROM ${fromScoped('spans', compileSelected(measured))}`
  const states = sql`SELECT first_point, last_point, ${gatheredStates} FROM ${perShard(rows)} WHERE first_point <= last_point GROUP BY first_point, last_point`
  const value = valueColumn(measured.measure, mergedStates, 0)
  return sql`SELECT point, ${value} FROM (${states}) ARRAY JOIN range(toUInt64(first_point), toUInt64(last_point) + 1) AS point GROUP BY point ORDER BY point`
}

/** Selects `service` and `resource_attributes` of the newest span of each of the services that have one. */
export function newestResources(services: readonly string[]): Sql {
  const named = fromScoped('spans', sql`service IN ${textList(services)}`)
  return sql`SELECT service, argMax(resource_attributes, start) AS newest FROM ${named} GROUP BY service`
}

function compileSelected({ conditions, service, slice }: MeasuredSpans): Sql {
  const ofService = service === undefined ? [] : [sql`(service = ${text(service)})`]
  return allOf([...ofService, inSlice(slice), ...conditions.map(compileSpanCondition)])
}

function inSlice(slice: Slice | undefined): Sql {
  return slice === undefined ? sql`1` : compileInSlice(slice)
}

function valueColumn(measure: TraceMeasure, gathered: Gathered, index: number): Sql {
  return sql`toFloat64(${measures[measure](gathered)}) AS ${measuredColumn(index)}`
}

function gatherIf(selected: Sql): Gathered {
  return {
    spans: sql`countIf(${selected})`,
    errors: sql`countIf(${selected} AND status = 2)`,
    messages: sql`uniqExactIf(trace_id, ${selected})`,
    p95Ns: sql`quantileExactIf(${p95Level})(duration_ns, ${selected})`,
  }
}

const gatheredStates: Sql = sql`countState() AS span_count, countIfState(status = 2) AS error_count, uniqExactState(trace_id) AS message_count, quantileExactState(${p95Level})(duration_ns) AS durations`

const mergedStates: Gathered = {
  spans: sql`countMerge(span_count)`,
  errors: sql`countIfMerge(error_count)`,
  messages: sql`uniqExactMerge(message_count)`,
  p95Ns: sql`quantileExactMerge(${p95Level})(durations)`,
}

/** A span is in the windows of the moments after its start and not later than a window's length after it. */
function momentColumns({ fromNs, stepNs, points, windowNs }: AlertSeries): Sql {
  const [step, window, last] = [int64(stepNs), int64(windowNs), int64(BigInt(points - 1))]
  return list([
    sql`toUnixTimestamp64Nano(start) - ${int64(fromNs - windowNs)} AS offset_ns`,
    sql`if(offset_ns < ${window}, 0, intDiv(offset_ns - ${window}, ${step}) + 1) AS first_point`,
    sql`least(intDiv(offset_ns, ${step}), ${last}) AS last_point`,
  ])
}

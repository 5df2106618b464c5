/**
 * Computes the values of trace alert rules. Rules over the same spans share one scan, and the values of one rule at
 * many evaluation times take one query. A value is a Float64, or NULL if there is no data.
 */
import { allOf, fromScoped, int64, list, perShard, type Sql, sql, text } from '../fragment.ts'
import { measuredColumn, ruleColumn } from '../identifier.ts'
import type { AlertSeries, MeasuredSpans } from '../ir/alert.ts'
import type { Slice } from '../ir/slice.ts'
import {
  aggregatedColumns,
  aggregateStates,
  aggregatesOf,
  type CompiledAggregates,
  mergedAggregates,
  type TraceMeasure,
  traceMeasureTable,
} from '../measures.ts'
import { textList } from './attribute.ts'
import { compileSpanCondition } from './condition.ts'
import { compileInSlice } from './slice.ts'

/**
 * Selects one row with the columns `value_0`, `value_1`, …, one for each entry of `measured`. `within` restricts all of
 * them to the spans of one slice, which is then computed once.
 */
export function measuredValues(measured: readonly MeasuredSpans[], within?: Slice): Sql {
  const selected = measured.map((one, index) => sql`${compileSelected(one)} AS ${ruleColumn(index)}`)
  const values = measured.map(({ measure }, index) => valueColumn(measure, aggregatesOf(ruleColumn(index)), index))
  const rows = sql`
    SELECT ${list([aggregatedColumns, ...selected])}
    FROM ${fromScoped('spans', inSlice(within))}`
  return sql`SELECT ${list(values)} FROM ${perShard(rows)}`
}

/**
 * Selects `point` (from 0) and `value_0` of one rule for each evaluation time whose window contains a selected span.
 * The scope must reach from the start of the first window to the last evaluation time. Spans are grouped by the
 * evaluation times whose windows contain them, so that each span is read once. This query does not support slices that
 * depend on other spans of a trace, because such a slice differs from window to window.
 */
export function measuredSeries(measured: MeasuredSpans, series: AlertSeries): Sql {
  const rows = sql`
    SELECT ${aggregatedColumns}, ${pointColumns(series)}
    FROM ${fromScoped('spans', compileSelected(measured))}`
  const states = sql`
    SELECT first_point, last_point, ${aggregateStates}
    FROM ${perShard(rows)}
    WHERE first_point <= last_point
    GROUP BY first_point, last_point`
  return sql`
    SELECT point, ${valueColumn(measured.measure, mergedAggregates, 0)}
    FROM (${states})
    ARRAY JOIN range(toUInt64(first_point), toUInt64(last_point) + 1) AS point
    GROUP BY point
    ORDER BY point`
}

/** Selects `service` and the `resource_attributes` of its newest span, for each of the services that has spans. */
export function newestResources(services: readonly string[]): Sql {
  return sql`
    SELECT service, argMax(resource_attributes, start) AS newest
    FROM ${fromScoped('spans', sql`service IN ${textList(services)}`)}
    GROUP BY service`
}

/**
 * Selects `metric`, `service` and the `resource_attributes` of the newest series, for each of some metrics and services
 * that has one.
 */
export function newestSeriesResources(services: readonly string[], metrics: readonly string[]): Sql {
  const ofServices = sql`metric IN ${textList(metrics)} AND service IN ${textList(services)}`
  return sql`
    SELECT metric, service, argMax(resource_attributes, last_seen) AS newest
    FROM ${fromScoped('metric_series', ofServices)}
    GROUP BY metric, service`
}

function compileSelected({ conditions, service, slice }: MeasuredSpans): Sql {
  const ofService = service === undefined ? [] : [sql`(service = ${text(service)})`]
  return allOf([...ofService, inSlice(slice), ...conditions.map(compileSpanCondition)])
}

function inSlice(slice: Slice | undefined): Sql {
  return slice === undefined ? sql`1` : compileInSlice(slice)
}

function valueColumn(measure: TraceMeasure, aggregates: CompiledAggregates, index: number): Sql {
  return sql`toFloat64(${traceMeasureTable[measure].compile(aggregates)}) AS ${measuredColumn(index)}`
}

/**
 * Returns the columns `first_point` and `last_point` of a span, the evaluation times whose windows contain it. A window
 * excludes its end, so these are the times after the start of the span, up to one window length later.
 */
function pointColumns({ fromNs, intervalNs, points, windowNs }: AlertSeries): Sql {
  const [interval, window, last] = [int64(intervalNs), int64(windowNs), int64(BigInt(points - 1))]
  return list([
    sql`toUnixTimestamp64Nano(start) - ${int64(fromNs - windowNs)} AS offset_ns`,
    sql`if(offset_ns < ${window}, 0, intDiv(offset_ns - ${window}, ${interval}) + 1) AS first_point`,
    sql`least(intDiv(offset_ns, ${interval}), ${last}) AS last_point`,
  ])
}

/** Which series of a metric are chosen, and of which kinds and units they are. */
import { allOf, fromScoped, joinSql, list, type Sql, sql, text, uint8, uint64 } from '../fragment.ts'
import { groupColumn } from '../identifier.ts'
import type { Attribute } from '../ir/condition.ts'
import type { MetricStream, SeriesQuery } from '../ir/metric-query.ts'
import { metricStreamsMax } from '../limits.ts'
import { seriesRecords } from '../record-kinds/record-kinds.ts'
import { numberOfKind } from '../schema/metric-numbers.ts'
import { taggedText, textOf } from './attribute.ts'
import { compileCondition } from './condition.ts'

/** A row of `metricStreams`. */
export interface MetricStreamRow {
  /** A place in `metricKinds`, from 1. */
  readonly kind: number
  readonly unit: string
}

/** Selects the kinds and units of the chosen series, at most one more than `metricStreamsMax`. */
export function metricStreams(query: SeriesQuery): Sql {
  const limit = uint64(metricStreamsMax + 1)
  return sql`SELECT DISTINCT kind, unit FROM ${fromScoped('metric_series', seriesFit(query))} ORDER BY kind, unit LIMIT ${limit}`
}

/** Selects `series`, each as often as it has rows. */
export function chosenSeries(query: SeriesQuery, stream?: MetricStream): Sql {
  return sql`SELECT series FROM ${fromScoped('metric_series', seriesFit(query, stream))}`
}

/** Selects each chosen series once, with its groups as `group_0`, `group_1`, …, NULL where it has no such attribute. */
export function groupedSeries(query: SeriesQuery, stream: MetricStream, groupBy: readonly Attribute[]): Sql {
  const groups = groupBy.map((attribute, index) => {
    const read = taggedText(attribute, seriesRecords)
    return sql`any(${textOf(sql`nullIf(${read}, '')`)}) AS ${groupColumn(index)}`
  })
  const columns = [sql`series, any(temporality) = 1 AS is_delta, any(monotonic) = 1 AS is_monotonic`, ...groups]
  return sql`SELECT ${list(columns)} FROM ${fromScoped('metric_series', seriesFit(query, stream))} GROUP BY series`
}

/** `, group_0, group_1`, to follow another column. */
export function andGroups(groupBy: readonly Attribute[]): Sql {
  return joinSql(
    groupBy.map((_, index) => sql`, ${groupColumn(index)}`),
    sql``,
  )
}

function seriesFit({ metric, conditions }: SeriesQuery, stream?: MetricStream): Sql {
  return allOf([
    sql`metric = ${text(metric)}`,
    ...(stream === undefined ? [] : [ofStream(stream)]),
    ...conditions.map((condition) => compileCondition(condition, seriesRecords)),
  ])
}

function ofStream({ kind, unit }: MetricStream): Sql {
  return allOf([sql`kind = ${uint8(numberOfKind(kind))}`, sql`unit = ${text(unit)}`])
}

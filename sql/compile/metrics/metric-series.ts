/** Selects the series of a metric, describes them, and groups their values. */
import {
  allOf,
  fromScoped,
  int64,
  joinSql,
  list,
  onSameShard,
  param,
  type Sql,
  sql,
  text,
  uint8,
  uint64,
} from '../../fragment.ts'
import { groupColumn, ownAttribute } from '../../identifier.ts'
import type { Attribute } from '../../ir/condition.ts'
import type { MetricQuery, MetricStream, SeriesQuery } from '../../ir/metric-query.ts'
import { metricStreamsMax } from '../../limits.ts'
import { seriesRecords } from '../../record-kinds/record-kinds.ts'
import { hotAttributeKeys } from '../../schema/hot-attributes.ts'
import { noRecordedValueFlag, numberOfKind } from '../../schema/metric-numbers.ts'
import { taggedText, textOf } from '../attribute.ts'
import { compileCondition } from '../condition.ts'
import { type TextPosition, textOrder, textPosition } from '../list-order.ts'

/** A row of `metricStreams`. */
export interface MetricStreamRow {
  /** A position in `metricKinds`, counted from 1. */
  readonly kind: number
  readonly unit: string
}

/** Selects the kinds and units of the selected series with points in the window, up to `metricStreamsMax` plus one. */
export function metricStreams(query: SeriesQuery): Sql {
  return sql`
    SELECT DISTINCT kind, unit
    FROM ${fromScoped('metric_series', seriesFit(query), { ofPoints: sql`metric = ${text(query.metric)}` })}
    ORDER BY kind, unit
    LIMIT ${uint64(metricStreamsMax + 1)}
  `
}

/** Selects `series`, once for each row of a selected series. Some may have no points in the window. */
export function chosenSeries(query: SeriesQuery, stream?: MetricStream): Sql {
  return sql`SELECT series FROM ${fromScoped('metric_series', seriesFit(query, stream))}`
}

/**
 * Selects each selected series once, with its groups as `group_0`, `group_1`, …, which are NULL if it lacks the
 * attribute.
 */
export function groupedSeries({ groupBy, stream, ...query }: MetricQuery): Sql {
  const groups = groupBy.map((attribute, index) => {
    const read = taggedText(attribute, seriesRecords)
    return sql`any(${textOf(sql`nullIf(${read}, '')`)}) AS ${groupColumn(index)}`
  })
  const columns = [sql`series, any(temporality) = 1 AS is_delta, any(monotonic) = 1 AS is_monotonic`, ...groups]
  return sql`SELECT ${list(columns)} FROM ${fromScoped('metric_series', seriesFit(query, stream))} GROUP BY series`
}

/** Returns the group columns of `groupedSeries` as `, group_0, group_1`. */
export function andGroups(groupBy: readonly Attribute[]): Sql {
  return joinSql(
    groupBy.map((_, index) => sql`, ${groupColumn(index)}`),
    sql``,
  )
}

/** Returns the start of the time bucket that contains `ns`. */
export function bucketStart({ bucketNs, window }: MetricQuery): Sql {
  if (bucketNs === undefined) return sql`${int64(window.fromNs)}`
  return sql`intDiv(ns, ${int64(bucketNs)}) * ${int64(bucketNs)}`
}

/** Selects the points of the selected series that have a value. */
export function pointsFit(query: MetricQuery): Sql {
  return allOf([
    sql`metric = ${text(query.metric)}`,
    sql`series IN ${onSameShard(chosenSeries(query, query.stream))}`,
    sql`bitAnd(flags, ${uint64(noRecordedValueFlag)}) = 0`,
  ])
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

/** A row of `seriesWithIds`. */
export interface SeriesRow {
  readonly series: string
  readonly kind: number
  readonly temporality: number
  readonly monotonic: number
  readonly unit: string
  readonly description: string
  /** An attribute list (attribute-text.ts), like the attributes of scope and resource. */
  readonly metadata: string
  readonly service: string
  readonly scope_name: string
  readonly scope_version: string
  readonly scope_attributes: string
  readonly resource_attributes: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Selects one row for each of the series with these ids, which are decimal texts of UInt128. */
export function seriesWithIds(metric: string, ids: readonly string[]): Sql {
  const where = allOf([
    sql`metric = ${text(metric)}`,
    sql`has(${param('Array(UInt128)', `[${ids.join(',')}]`)}, series)`,
  ])
  return sql`
    SELECT
      series,
      any(kind) AS kind,
      any(temporality) AS temporality,
      any(monotonic) AS monotonic,
      any(unit) AS unit,
      any(description) AS description,
      any(metadata) AS metadata,
      any(service) AS service,
      any(scope_name) AS scope_name,
      any(scope_version) AS scope_version,
      any(scope_attributes) AS scope_attributes,
      any(resource_attributes) AS resource_attributes,
      any(attributes) AS attributes
    FROM ${fromScoped('metric_series', where)}
    GROUP BY series
  `
}

/**
 * The position of an entry in the catalog. Senders may define a metric differently, so each variant of a name is a
 * separate entry.
 */
export interface CatalogPosition {
  readonly metric: string
  readonly kind: number
  readonly unit: TextPosition
  readonly temporality: number
  readonly monotonic: number
}

/** Returns the position behind all entries of a metric. */
export function behindMetric(metric: string): CatalogPosition {
  return { metric, kind: 255, unit: ['', 0n], temporality: 0, monotonic: 0 }
}

export interface CatalogPage {
  /** Selects only metrics whose name begins with this. */
  readonly prefix: string
  /** Selects only entries after this one. */
  readonly after?: CatalogPosition
  readonly limit: number
  /** Selects only metrics up to this one. */
  readonly lastMetric?: string
}

const catalogKey = sql`metric, kind, unit, temporality, monotonic`
const catalogOrder = list([sql`metric, kind`, ...textOrder(sql`unit`), sql`temporality, monotonic`])

/**
 * Selects `metric`: the last one whose entries can be on the page, if there are others behind it. The first may have no
 * entry after the position, and any may have no points in the window, so that it has no entry.
 */
export function lastCatalogMetric({ limit, ...page }: CatalogPage): Sql {
  return sql`
    SELECT metric
    FROM ${fromScoped('metric_series', isOfPage(page))}
    GROUP BY metric
    ORDER BY metric
    LIMIT 1 OFFSET ${uint64(limit)}
  `
}

/**
 * Selects the properties of each metric with points in the window, sorted by name. Keys of resources are selected as
 * distinct lists. Keys of points are selected as `paths` and `rare_paths`, except hot keys, whose paths exist in every
 * row: `hot` contains for each of them, in order, whether it is carried.
 */
export function metricCatalog({ limit, ...page }: CatalogPage): Sql {
  const ofPoints = isOfPage(page)
  const where = page.after === undefined ? ofPoints : allOf([ofPoints, isAfter(page.after)])
  const hotCarried = [...hotAttributeKeys].map((key) => sql`max(${ownAttribute(key)} != '')`)
  return sql`
    SELECT
      ${catalogKey},
      argMax(description, last_seen) AS description,
      uniqExact(series) AS series_count,
      arraySort(groupUniqArray(service)) AS services,
      groupUniqArray(resource_attributes) AS resource_lists,
      groupUniqArrayArray(JSONDynamicPaths(attributes)) AS paths,
      groupUniqArrayArray(JSONSharedDataPaths(attributes)) AS rare_paths,
      [${list(hotCarried)}] AS hot
    FROM ${fromScoped('metric_series', where, { ofPoints })}
    GROUP BY ${catalogKey}
    ORDER BY ${catalogOrder}
    LIMIT ${uint64(limit)}
  `
}

/** Selects the rows of metrics whose entries can be on a page, by the name alone. */
function isOfPage({ prefix, after, lastMetric }: Omit<CatalogPage, 'limit'>): Sql {
  return allOf([
    sql`startsWith(metric, ${text(prefix)})`,
    ...(after === undefined ? [] : [sql`metric >= ${text(after.metric)}`]),
    ...(lastMetric === undefined ? [] : [sql`metric <= ${text(lastMetric)}`]),
  ])
}

function isAfter({ metric, kind, unit, temporality, monotonic }: CatalogPosition): Sql {
  const numbers = [sql`${uint64(temporality)}`, sql`${uint64(monotonic)}`]
  const values = list([sql`${text(metric)}`, sql`${uint64(kind)}`, ...textPosition(unit), ...numbers])
  return sql`((${catalogOrder}) > (${values}))`
}

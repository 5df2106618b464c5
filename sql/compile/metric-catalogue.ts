import { fromScoped, joinSql, type Sql, sql, text, uint64 } from '../fragment.ts'
import { ownAttribute } from '../identifier.ts'
import { hotAttributeKeys } from '../schema/hot-attributes.ts'

/** A stream of one name: senders may disagree in any of these, and then each is listed. */
export interface CataloguePosition {
  readonly metric: string
  readonly kind: number
  readonly unit: string
  readonly temporality: number
  readonly monotonic: number
}

export interface CataloguePage {
  readonly prefix: string
  readonly after?: CataloguePosition
  readonly limit: number
}

const position = sql`(metric, kind, unit, temporality, monotonic)`

/**
 * Selects what is known of each metric with series in the window, by name. Keys of resources come as distinct lists, those of
 * points as `paths` but for the hot ones, of which every row has the path: `hot` says of each, in order, whether it is carried.
 */
export function metricCatalogue({ prefix, after, limit }: CataloguePage): Sql {
  const later =
    after === undefined
      ? sql`1`
      : sql`(${position} > (${text(after.metric)}, ${uint64(after.kind)}, ${text(after.unit)}, ${uint64(after.temporality)}, ${uint64(after.monotonic)}))`
  const rows = fromScoped('metric_series', sql`(startsWith(metric, ${text(prefix)}) AND ${later})`)
  const columns = sql`metric, kind, unit, temporality, monotonic, argMax(description, last_seen) AS description, uniqExact(series) AS series_count, arraySort(groupUniqArray(service)) AS services, groupUniqArray(resource_attributes) AS resource_lists, groupUniqArrayArray(JSONDynamicPaths(attributes)) AS paths, groupUniqArrayArray(JSONSharedDataPaths(attributes)) AS rare_paths, [${hotCarried}] AS hot`
  return sql`SELECT ${columns} FROM ${rows} GROUP BY metric, kind, unit, temporality, monotonic ORDER BY metric, kind, unit, temporality, monotonic LIMIT ${uint64(limit)}`
}

const hotCarried: Sql = joinSql(
  [...hotAttributeKeys].map((key) => sql`max(${ownAttribute(key)} != '')`),
  sql`, `,
)

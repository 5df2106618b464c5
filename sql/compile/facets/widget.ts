/**
 * Computes the data of a widget of one service in one pass over its spans. The same query ranks the groups: it keeps
 * the spans of each group until it is known which groups are shown and which are combined.
 */
import { taggedTextsEqualTo } from '../../attribute-text.ts'
import {
  allOf,
  fromScoped,
  int64,
  joinSql,
  list,
  perShard,
  type Sql,
  sql,
  text,
  uint8,
  uint64,
} from '../../fragment.ts'
import { attributeAlias } from '../../identifier.ts'
import type { Attribute } from '../../ir/condition.ts'
import type { WidgetGrouping, WidgetMeasure, WidgetQuery, WidgetSpans, WidgetTime } from '../../ir/widget.ts'
import { valueCharactersMax } from '../../limits.ts'
import { p50Level, p95Level, p99Level } from '../../percentile.ts'
import { spanRecords } from '../../record-kinds/record-kinds.ts'
import { isCarried, taggedText, textOf } from '../attribute.ts'
import { carriedColumns, carriesKind, isOfPair } from './classification.ts'

/** A row of `widgetData`. Integers of 64 bits are texts. */
export interface WidgetRow {
  /**
   * The rank of the group by number of spans, from 1. All groups that are not shown have the rank `groupsMax` plus one.
   */
  readonly group_rank: string
  /** The name for each grouping; null for spans without the attribute. Empty for the groups that are not shown. */
  readonly names: readonly (string | null)[]
  /** The start of the time bucket, which may precede the window; 0 without buckets. */
  readonly step_ns: string
  /** The values, in the order of the measures. */
  readonly numbers: readonly number[]
  /** What the spans of the group have been read from; only for queries `withReads`. */
  readonly reads?: readonly WidgetRead[]
}

/**
 * For each grouping, the position of the attribute that a span was read by, from 1, or 0 if it carries none of them;
 * plus `readOfSeveral` if it carries others too. At the end 1 if a classification rule decided the pair of the span.
 */
export type WidgetRead = readonly number[]

export const readOfSeveral = 100

/**
 * Reports whether a condition can select exactly the spans with a name in an attribute. None can for a name that is
 * longer than its value may be, or that is a number in another spelling: `012` and `12.0` also equal the number 12.
 */
export function isFilterable(name: string, { source }: Attribute): boolean {
  if ([...name].length > valueCharactersMax) return false
  return source === 'intrinsic' || taggedTextsEqualTo(name).every((tagged) => tagged.slice(1) === name)
}

/**
 * Settings for widget queries. Few rows of each block belong to the service, and computing attributes has a cost per
 * block. Blocks of sixteen times the default size halve the duration of widgets with several groupings.
 */
export const widgetSettings = { preferred_block_size_bytes: 16_000_000 } as const

/** Selects `WidgetRow`s, one for each group and time bucket that has spans, sorted by rank and then by time. */
export function widgetData(query: WidgetQuery, time: WidgetTime): Sql {
  const numbers = list(query.measures.map((measure) => sql`toFloat64(${measured(measure, time)})`))
  const rows = query.groupings.length === 0 ? perShard(ungrouped(query, time)) : sql`(${grouped(query, time)})`
  const reads = hasReads(query) ? sql`, arraySort(groupUniqArrayArray(reads_of_group)) AS reads` : sql``
  return sql`
    SELECT group_rank, any(names) AS names, step_ns, [${numbers}] AS numbers${reads}
    FROM ${rows}
    GROUP BY group_rank, step_ns
    ORDER BY group_rank, step_ns
  `
}

function hasReads({ withReads = false, groupings }: WidgetQuery): boolean {
  return withReads && groupings.length > 0
}

function measured(measure: WidgetMeasure, time: WidgetTime): Sql {
  switch (measure) {
    case 'count':
      return sql`count()`
    case 'rate':
      return sql`count() / (${coveredNs(time)} / 1e9)`
    case 'error_count':
      return sql`countIf(is_error)`
    case 'error_rate':
      return sql`countIf(is_error) / count()`
    case 'p50':
      return milliseconds(p50Level)
    case 'p95':
      return milliseconds(p95Level)
    case 'p99':
      return milliseconds(p99Level)
  }
}

function milliseconds(level: Sql): Sql {
  return sql`quantileExact(${level})(duration) / 1e6`
}

/**
 * Returns the length of the time bucket within the window. A rate over the whole bucket would be too low in the first
 * and the last one.
 */
function coveredNs({ window, bucketNs }: WidgetTime): Sql {
  if (bucketNs === undefined) return sql`${int64(window.toNs - window.fromNs)}`
  const end = sql`least(${int64(bucketNs)}, ${int64(window.toNs)} - step_ns)`
  return sql`(${end} - greatest(0, ${int64(window.fromNs)} - step_ns))`
}

function bucketStart({ bucketNs }: WidgetTime): Sql {
  if (bucketNs === undefined) return sql`toInt64(0)`
  return sql`intDiv(toUnixTimestamp64Nano(start), ${int64(bucketNs)}) * ${int64(bucketNs)}`
}

function ungrouped(query: WidgetQuery, time: WidgetTime): Sql {
  return sql`
    SELECT
      toUInt64(1) AS group_rank,
      CAST([], 'Array(Nullable(String))') AS names,
      step_ns,
      is_error,
      duration
    FROM (${spansOf(query, time)})
  `
}

/** Selects one row per span, with the rank and names of the group in which it is shown. */
function grouped(query: WidgetQuery, time: WidgetTime): Sql {
  const columns = query.groupings.map((_, index) => attributeAlias(index))
  const ofGroup = hasReads(query) ? sql`, groupUniqArray(reads) AS reads_of_group` : sql``
  const ofSpan = hasReads(query) ? sql`, reads_of_group` : sql``
  const groups = sql`
    SELECT
      ${list(columns)},
      count() AS span_count,
      groupArray((step_ns, is_error, duration)) AS spans_of_group${ofGroup}
    FROM ${perShard(spansOf(query, time))}
    GROUP BY ${list(columns)}
  `
  const order = sql`span_count DESC, ${joinSql(columns, sql` NULLS FIRST, `)} NULLS FIRST`
  const groupsMax = uint64(query.groupsMax)
  return sql`
    SELECT
      least(rank, ${groupsMax} + 1) AS group_rank,
      if(rank <= ${groupsMax}, [${list(columns)}], []) AS names,
      span.1 AS step_ns,
      span.2 AS is_error,
      span.3 AS duration${ofSpan}
    FROM (SELECT *, row_number() OVER (ORDER BY ${order}) AS rank FROM (${groups}))
    ARRAY JOIN spans_of_group AS span
  `
}

/** Selects the spans. */
function spansOf(query: WidgetQuery, time: WidgetTime): Sql {
  const { service, spans, rules, groupings } = query
  const columns = [
    ...(spans.kind === 'pair' ? [carriedColumns] : []),
    ...groupings.map((grouping, index) => sql`${groupName(grouping)} AS ${attributeAlias(index)}`),
    sql`${bucketStart(time)} AS step_ns, status = 2 AS is_error, duration_ns AS duration`,
    ...(hasReads(query) ? [sql`[${list(readsOf(query))}] AS reads`] : []),
  ]
  const where = allOf([sql`service = ${text(service)}`, ...selected(spans, rules)])
  return sql`SELECT ${list(columns)} FROM ${fromScoped('spans', where)}`
}

function selected(spans: WidgetSpans, rules: WidgetQuery['rules']): Sql[] {
  switch (spans.kind) {
    case 'all':
      return []
    case 'internal':
      return [sql`kind = 1`]
    case 'pair':
      return [isOfPair(spans.pair, rules)]
  }
}

/** Returns the numbers of `WidgetRead`. */
function readsOf({ spans, groupings }: WidgetQuery): Sql[] {
  const isDerived = spans.kind === 'pair' ? sql`toUInt8(NOT ${carriesKind})` : sql`toUInt8(0)`
  return [...groupings.map(positionRead), isDerived]
}

function positionRead({ attributes }: WidgetGrouping): Sql {
  const carried = attributes.map((attribute) => isCarried(taggedText(attribute, spanRecords)))
  if (carried.length === 1) return sql`toUInt8(${list(carried)})`
  const all = sql`[${list(carried)}]`
  return sql`toUInt8(indexOf(${all}, 1) + if(arrayCount(${all}) > 1, ${uint8(readOfSeveral)}, 0))`
}

/** Returns the text to group by; NULL for a span without any of the attributes. */
function groupName({ attributes, reading }: WidgetGrouping): Sql {
  const carried = attributes.map((attribute) => sql`nullIf(${taggedText(attribute, spanRecords)}, '')`)
  const read = textOf(sql`coalesce(${list(carried)})`)
  if (reading === 'text') return read
  // `extract` returns the empty text for a text that is not a status, and NULL for NULL.
  return sql`nullIf(replaceRegexpOne(extract(${read}, '^[1-5][0-9][0-9]$'), '..$', 'xx'), '')`
}

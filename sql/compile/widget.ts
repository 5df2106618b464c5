/**
 * What a widget measures of one service, in one pass over its spans. Groups are ranked in the same query, with the spans of
 * each kept beside it until it is known which groups are shown and which are put together.
 */
import { allOf, fromScoped, int64, joinSql, list, perShard, type Sql, sql, text, uint64 } from '../fragment.ts'
import { attributeAlias } from '../identifier.ts'
import type { WidgetGrouping, WidgetMeasure, WidgetQuery, WidgetSpans, WidgetTime } from '../ir/widget.ts'
import { p50Level, p95Level, p99Level } from '../percentile.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { taggedText, textOf } from './attribute.ts'
import { carriedColumns, isOfPair } from './io-pair.ts'

/** A row of `widgetData`; integers of 64 bits are texts. */
export interface WidgetRow {
  /** 1 for the group with the most spans; one more than `groupsMax` for all groups that are not shown. */
  readonly place: string
  /** One name for each grouping, null where spans carry nothing to group by. None for the groups that are not shown. */
  readonly names: readonly (string | null)[]
  /** When the step begins, which may be before the window does; 0 for the whole window. */
  readonly step_ns: string
  /** In the order of the measures. */
  readonly numbers: readonly number[]
}

/**
 * A service has few rows of each block that is read, and what is worked out of attributes costs most for each block: sixteen
 * times the usual size of them halves the time of widgets with several groupings.
 */
export const widgetSettings = { preferred_block_size_bytes: 16_000_000 } as const

/** Selects `WidgetRow`s, one for each group and step that has spans, by place, then by step. */
export function widgetData(query: WidgetQuery, time: WidgetTime): Sql {
  const numbers = list(query.measures.map((measure) => sql`toFloat64(${measured(measure, time)})`))
  const rows = query.groupings.length === 0 ? perShard(ungrouped(query, time)) : sql`(${shown(query, time)})`
  return sql`SELECT place, any(names) AS names, step_ns, [${numbers}] AS numbers FROM ${rows} GROUP BY place, step_ns ORDER BY place, step_ns`
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

/** How much of a step lies in the window: a rate over the whole step would be too low in the first and the last. */
function coveredNs({ window, stepNs }: WidgetTime): Sql {
  if (stepNs === undefined) return sql`${int64(window.toNs - window.fromNs)}`
  return sql`(least(${int64(stepNs)}, ${int64(window.toNs)} - step_ns) - greatest(0, ${int64(window.fromNs)} - step_ns))`
}

function stepOf({ stepNs }: WidgetTime): Sql {
  if (stepNs === undefined) return sql`toInt64(0)`
  return sql`intDiv(toUnixTimestamp64Nano(start), ${int64(stepNs)}) * ${int64(stepNs)}`
}

function ungrouped(query: WidgetQuery, time: WidgetTime): Sql {
  return sql`SELECT toUInt64(1) AS place, CAST([], 'Array(Nullable(String))') AS names, step_ns, is_error, duration FROM (${spansOf(query, time)})`
}

/** One row a span, with the place and names of the group that it is shown in. */
function shown(query: WidgetQuery, time: WidgetTime): Sql {
  const columns = query.groupings.map((_, index) => attributeAlias(index))
  const groups = sql`SELECT ${list(columns)}, count() AS span_count, groupArray((step_ns, is_error, duration)) AS spans_of_group FROM ${perShard(spansOf(query, time))} GROUP BY ${list(columns)}`
  const ranked = sql`SELECT *, row_number() OVER (ORDER BY span_count DESC, ${joinSql(columns, sql` NULLS FIRST, `)} NULLS FIRST) AS rank FROM (${groups})`
  const groupsMax = uint64(query.groupsMax)
  return sql`SELECT least(rank, ${groupsMax} + 1) AS place, if(rank <= ${groupsMax}, [${list(columns)}], []) AS names, span.1 AS step_ns, span.2 AS is_error, span.3 AS duration FROM (${ranked}) ARRAY JOIN spans_of_group AS span`
}

/** Two rows of one span, where they are still two, count once. */
function spansOf({ service, spans, rules, groupings }: WidgetQuery, time: WidgetTime): Sql {
  const columns = [
    ...(spans.kind === 'pair' ? [carriedColumns] : []),
    ...groupings.map((grouping, index) => sql`${groupName(grouping)} AS ${attributeAlias(index)}`),
    sql`${stepOf(time)} AS step_ns, status = 2 AS is_error, duration_ns AS duration`,
  ]
  const where = allOf([sql`service = ${text(service)}`, ...selected(spans, rules)])
  return sql`SELECT ${list(columns)} FROM ${fromScoped('spans', where)} LIMIT 1 BY trace_id, span_id`
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

/** The text to group by, NULL where a span carries none of the attributes. */
function groupName({ attributes, reading }: WidgetGrouping): Sql {
  const carried = attributes.map((attribute) => sql`nullIf(${taggedText(attribute, spanRecords)}, '')`)
  const read = textOf(sql`coalesce(${list(carried)})`)
  // With NULL in place of texts that are no status, `extract` has nothing to read; its own answer for no match is empty.
  return reading === 'text'
    ? read
    : sql`nullIf(replaceRegexpOne(extract(${read}, '^[1-5][0-9][0-9]$'), '..$', 'xx'), '')`
}

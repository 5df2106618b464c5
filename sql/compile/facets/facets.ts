/** Detects what services do at their boundaries from their newest spans (docs/semantics.md, section 8). */
import { allOf, type Bounds, fromScoped, int64, list, type Sql, sql, text, uint8, uint64 } from '../../fragment.ts'
import type { IoPair, ServiceRules } from '../../ir/facet.ts'
import { profileSpansMax } from '../../limits.ts'
import { p95Level } from '../../percentile.ts'
import { textList } from '../attribute.ts'
import { isAfterText, type TextPosition, textOrder } from '../list-order.ts'
import {
  carriedColumns,
  carriedPair,
  carriesKind,
  derivedPair,
  firstFitting,
  ioPairs,
  type RuleAttributes,
  ruleAttributes,
} from './classification.ts'

export interface ProfileOptions {
  /** The classification rules of all services that may be selected. */
  readonly rules: readonly ServiceRules[]
  /** Selects only these services. */
  readonly services?: readonly string[]
  /** Selects only services after this position. */
  readonly after?: TextPosition
  readonly limit?: number
  /** Reads only these spans of the services. */
  readonly bounds?: Bounds
  /** An upper bound on the number of spans of a service, if known. */
  readonly spanCountMax?: number
  /** See `NewestOptions`. */
  readonly countedNs: bigint
  /**
   * Whether to select only `service, profile`. If every named service has more spans than a profile covers, older spans
   * are then not read.
   */
  readonly isProfileOnly?: boolean
}

/** The pairs and kinds of a service's newest spans. */
export interface ServiceProfile {
  readonly pairs: readonly IoPair[]
  readonly hasInternal: boolean
}

/**
 * With the maximum number of rules, evaluating whole blocks is faster than filtering rows before each rule. Not for
 * queries in the scope of a restricted caller, which contain walks.
 */
export const profileSettings = { short_circuit_function_evaluation: 'disable' } as const

/**
 * Selects `service, span_count, error_count, p95_ns, profile` for every service that has spans, by name. Counts and the
 * percentile cover all of its spans; the profile (see `readProfile`) covers only the newest. Run it with
 * `profileSettings`, unless the caller is restricted.
 */
export function serviceProfiles(options: ProfileOptions): Sql {
  const { isProfileOnly = false } = options
  const { rules, services, after, limit, bounds = {}, countedNs, spanCountMax = Number.POSITIVE_INFINITY } = options
  const where = allOf([
    ...(services === undefined ? [] : [sql`service IN ${textList(services)}`]),
    ...(after === undefined ? [] : [isAfterText(sql`service`, after)]),
  ])
  const page = limit === undefined ? sql`` : sql` LIMIT ${uint64(limit)}`
  const { columns, satisfies } = ruleAttributes(rules)
  const newest = spanCountMax <= profileSpansMax ? allAreNewest : newestOfServices(where, { countedNs, bounds })
  const read = list([sql`service, kind, status, duration_ns`, newest.columns, carriedColumns, ...columns])
  const isRead = isProfileOnly && services !== undefined ? allOf([where, newest.mayBeNewest(services.length)]) : where
  const spans = sql`${newest.prefix}SELECT ${read} FROM ${fromScoped('spans', isRead, bounds)}`
  return sql`
    SELECT
      service,${isProfileOnly ? sql`` : countsOfSpans}
      groupBitOrIf(${profileBits(rules, satisfies)}, is_newest) AS profile
    FROM (${spans})
    GROUP BY service
    ORDER BY ${list(textOrder(sql`service`))}${page}
  `
}

const countsOfSpans: Sql = sql`
  count() AS span_count,
  countIf(status = 2) AS error_count,
  quantileExact(${p95Level})(duration_ns) AS p95_ns,`

/** Selects the first `service`s that have spans after a position, in the order of `serviceProfiles`. */
export function servicesAfter(after: TextPosition, limit: number): Sql {
  return sql`
    SELECT service
    FROM ${fromScoped('spans', isAfterText(sql`service`, after))}
    GROUP BY service
    ORDER BY ${list(textOrder(sql`service`))}
    LIMIT ${uint64(limit)}
  `
}

/**
 * Returns the expression of the profile of a single span, and the columns that it reads beside those of the span. The
 * profile of a service is the bitwise OR of those of its spans.
 */
export function spanProfile(rules: readonly ServiceRules[]): {
  readonly columns: readonly Sql[]
  readonly profile: Sql
} {
  const { columns, satisfies } = ruleAttributes(rules)
  return { columns: [carriedColumns, ...columns], profile: profileBits(rules, satisfies) }
}

function profileBits(rules: readonly ServiceRules[], satisfies: RuleAttributes['satisfies']): Sql {
  const pair = sql`if(${carriesKind}, ${carriedPair}, ${derivedPair(rules, satisfies)})`
  return sql`bitOr(bitShiftLeft(toUInt16(1), ${pair}), if(kind = 1, ${internalBit}, 0))`
}

/**
 * The bits of a profile: bit 0 is set if a span has no pair, the next bits stand for the pairs, and the last one for
 * the kind Internal.
 */
const internalPosition = ioPairs.length + 1
const internalBit = uint64(2 ** internalPosition)

/** Reads a profile: one bit for each pair of kind and role, and one for the kind internal. */
export function readProfile(profile: number): ServiceProfile {
  const has = (position: number) => (profile & (1 << position)) !== 0
  return { pairs: ioPairs.filter((_, index) => has(index + 1)), hasInternal: has(internalPosition) }
}

/**
 * Selects `decided_by, span_count` of the newest spans of one service. `decided_by` is 0 for spans without a pair, the
 * position of the rule that assigned the pair, counted from 1, or the number of rules plus one for spans that carry
 * `io.kind`.
 */
export function classificationCounts({ service, rules }: ServiceRules, options: NewestOptions): Sql {
  const where = sql`service = ${text(service)}`
  const { columns, satisfies } = ruleAttributes([{ service, rules }])
  const newest = newestOfServices(where, options)
  const read = list([newest.columns, carriedColumns, ...columns])
  const spans = sql`${newest.prefix}SELECT ${read} FROM ${fromScoped('spans', where)}`
  const byRule = firstFitting(rules, (_, index) => index + 1, satisfies)
  const telemetry = uint8(rules.length + 1)
  return sql`
    SELECT if(${carriesKind}, ${telemetry}, ${byRule}) AS decided_by, count() AS span_count
    FROM (${spans})
    WHERE is_newest
    GROUP BY decided_by
  `
}

/** The query fragments that identify the newest spans of services. */
interface NewestSpans {
  /** Precedes the SELECT of the spans. */
  readonly prefix: Sql
  /** Columns of a span, the last of which is `is_newest`: whether the span is among the newest of its service. */
  readonly columns: Sql
  /** Returns a condition that all newest spans of a number of services meet. It leaves out spans by their time only. */
  mayBeNewest(serviceCount: number): Sql
}

/** Used if no service has more spans than a profile covers. */
const allAreNewest: NewestSpans = { prefix: sql``, columns: sql`1 AS is_newest`, mayBeNewest: () => sql`1` }

/** How the newest spans of services are found. */
interface NewestOptions {
  /** The length of the parts of the window by which spans are counted, so that only the newest parts are sorted. */
  readonly countedNs: bigint
  /** Reads only these spans. */
  readonly bounds?: Bounds
}

/** Identifies the newest spans. Spans are ordered by start and then by ids, so that the result is deterministic. */
function newestOfServices(where: Sql, options: NewestOptions): NewestSpans {
  return {
    prefix: sql`WITH ${edgesOfServices(where, options)}, ${crowdedServices(where, options)} `,
    columns: newestColumns,
    mayBeNewest: (serviceCount) => {
      const areAllCrowded = sql`length(crowded.1) = ${uint64(serviceCount)}`
      return sql`start >= if(${areAllCrowded}, arrayMin(crowded.2), fromUnixTimestamp64Nano(toInt64(0), 'UTC'))`
    },
  }
}

/**
 * Returns `edges`: the services with more spans than a profile covers, for each the part of the window in which the
 * oldest span that still counts is, and its position among the spans of that part, newest first. At the end are the
 * times between which all these parts are. Reads two narrow columns.
 */
function edgesOfServices(where: Sql, { countedNs, bounds }: NewestOptions): Sql {
  const counts = sql`
    SELECT service, ${partOf(countedNs)} AS part, count() AS span_count
    FROM ${fromScoped('spans', where, bounds)}
    GROUP BY service, part
  `
  const edges = sql`
    SELECT
      service,
      arrayReverseSort(groupArray((part, span_count))) AS parts,
      arrayCumSum(parts.2) AS totals,
      arrayFirstIndex(total -> total >= ${uint64(profileSpansMax)}, totals) AS edge_index,
      parts[edge_index].1 AS edge,
      ${uint64(profileSpansMax)} - (totals[edge_index] - parts[edge_index].2) AS position
    FROM (${counts})
    GROUP BY service
    HAVING sum(span_count) > ${uint64(profileSpansMax)}
  `
  const times = sql`min(edge) * ${int64(countedNs)}, (max(edge) + 1) * ${int64(countedNs)}`
  return sql`(SELECT (groupArray(service), groupArray(edge), groupArray(position), ${times}) FROM (${edges})) AS edges`
}

/** The number of the part of the time to which a span belongs. */
function partOf(countedNs: bigint): Sql {
  return sql`intDiv(toUnixTimestamp64Nano(start), ${int64(countedNs)})`
}

/**
 * Returns `crowded`: the services with more spans than a profile covers, each with the oldest span that still counts.
 * Only one part of the window is sorted for each; without such services, nothing is read.
 */
function crowdedServices(where: Sql, { countedNs, bounds }: NewestOptions): Sql {
  const isInEdge = allOf([
    where,
    sql`start >= fromUnixTimestamp64Nano(edges.4, 'UTC')`,
    sql`start < fromUnixTimestamp64Nano(edges.5, 'UTC')`,
    sql`${partOf(countedNs)} = transform(service, edges.1, edges.2, toInt64(-1))`,
  ])
  const oldestOfEach = sql`
    SELECT
      service,
      arrayReverseSort(groupArray((start, trace_id, span_id)))[transform(service, edges.1, edges.3, 0)] AS oldest
    FROM ${fromScoped('spans', isInEdge, bounds)}
    GROUP BY service
  `
  const columns = sql`(groupArray(service), groupArray(oldest.1), groupArray(oldest.2), groupArray(oldest.3))`
  return sql`(SELECT ${columns} FROM (${oldestOfEach})) AS crowded`
}

const newestColumns: Sql = sql`
  transform(service, crowded.1, arrayEnumerate(crowded.1), 0) AS crowded_place,
  (
    crowded_place = 0
    OR start > crowded.2[crowded_place]
    OR (
      start = crowded.2[crowded_place]
      AND (trace_id, span_id) >= (crowded.3[crowded_place], crowded.4[crowded_place])
    )
  ) AS is_newest
`

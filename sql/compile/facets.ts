/** What services do at their boundaries, as their newest spans show it (docs/semantics.md, section 8). */
import { allOf, type Bounds, fromScoped, list, type Sql, sql, text, uint8, uint64 } from '../fragment.ts'
import type { IoPair, ServiceRules } from '../ir/facet.ts'
import { profileSpansMax } from '../limits.ts'
import { p95Level } from '../percentile.ts'
import { textList } from './attribute.ts'
import {
  carriedColumns,
  carriedPair,
  carriesKind,
  derivedPair,
  firstFitting,
  ioPairs,
  ruleAttributes,
} from './classification.ts'

export interface ProfileOptions {
  /** The classification rules of every service that has any and may be selected. */
  readonly rules: readonly ServiceRules[]
  /** Selects only these services. */
  readonly services?: readonly string[]
  /** Selects only services after this name. */
  readonly after?: string
  readonly limit?: number
  /** Reads only these spans of the services. */
  readonly bounds?: Bounds
  /** An upper bound on the spans of a service, if one is known. */
  readonly spanCountMax?: number
}

/** What the newest spans of a service show. */
export interface ServiceProfile {
  readonly pairs: readonly IoPair[]
  readonly hasInternal: boolean
}

/** The largest number of rules is evaluated fastest on whole blocks, without filtering rows before each rule. */
export const profileSettings = { short_circuit_function_evaluation: 'disable' } as const

/**
 * Selects `service, span_count, error_count, p95_ns, profile` of every service that has spans, by name. Counts and the
 * percentile are over all its spans, the profile (see `readProfile`) over the newest. Run it with `profileSettings`.
 */
export function serviceProfiles(options: ProfileOptions): Sql {
  const { rules, services, after, limit, bounds, spanCountMax = Number.POSITIVE_INFINITY } = options
  const where = allOf([
    ...(services === undefined ? [] : [sql`service IN ${textList(services)}`]),
    ...(after === undefined ? [] : [sql`service > ${text(after)}`]),
  ])
  const page = limit === undefined ? sql`` : sql` LIMIT ${uint64(limit)}`
  const { columns, satisfies } = ruleAttributes(rules)
  const newest = spanCountMax <= profileSpansMax ? allAreNewest : newestOfServices(where, bounds)
  const read = list([sql`service, kind, status, duration_ns`, newest.columns, carriedColumns, ...columns])
  const spans = sql`${newest.prefix}SELECT ${read} FROM ${fromScoped('spans', where, bounds)}`
  const pair = sql`if(${carriesKind}, ${carriedPair}, ${derivedPair(rules, satisfies)})`
  const bits = sql`bitOr(bitShiftLeft(toUInt16(1), ${pair}), if(kind = 1, ${internalBit}, 0))`
  return sql`
    SELECT
      service,
      count() AS span_count,
      countIf(status = 2) AS error_count,
      quantileExact(${p95Level})(duration_ns) AS p95_ns,
      groupBitOrIf(${bits}, is_newest) AS profile
    FROM (${spans})
    GROUP BY service
    ORDER BY service${page}
  `
}

/** In a profile, bit 0 says that a span has no pair, the next bits are pairs, and the last one is the kind Internal. */
const internalPosition = ioPairs.length + 1
const internalBit = uint64(2 ** internalPosition)

export function readProfile(profile: number): ServiceProfile {
  const has = (position: number) => (profile & (1 << position)) !== 0
  return { pairs: ioPairs.filter((_, index) => has(index + 1)), hasInternal: has(internalPosition) }
}

/**
 * Selects `decided_by, span_count` of the newest spans of one service. `decided_by` is 0 if nothing gave the span a
 * pair, the position of the rule that did, counted from 1, or one more than the number of rules if the span carries
 * `io.kind`.
 */
export function classificationCounts({ service, rules }: ServiceRules): Sql {
  const where = sql`service = ${text(service)}`
  const { columns, satisfies } = ruleAttributes([{ service, rules }])
  const newest = newestOfServices(where)
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

/** How a query about the newest spans of services tells them from the others. */
interface NewestSpans {
  /** Precedes the SELECT of the spans. */
  readonly prefix: Sql
  /** Columns of a span that end in `is_newest`, which says whether the span is among the newest of its service. */
  readonly columns: Sql
}

/** For services that have no more spans than a profile is made from. */
const allAreNewest: NewestSpans = { prefix: sql``, columns: sql`1 AS is_newest` }

/** Orders spans by start and then by ids, so that the same spans are always the newest. */
function newestOfServices(where: Sql, bounds: Bounds = {}): NewestSpans {
  return { prefix: sql`WITH ${crowdedServices(where, bounds)} `, columns: newestColumns }
}

/**
 * `crowded`: the services that have more spans than a profile is made from, each with the oldest span that still
 * counts. Finding them reads one narrow column; if there are no such services, nothing else is read.
 */
function crowdedServices(where: Sql, bounds: Bounds): Sql {
  const names = sql`
    SELECT service
    FROM ${fromScoped('spans', where, bounds)}
    GROUP BY service
    HAVING count() > ${uint64(profileSpansMax)}
  `
  const oldestOfEach = sql`
    SELECT service, start, trace_id, span_id
    FROM ${fromScoped('spans', allOf([where, sql`service IN (${names})`]), bounds)}
    ORDER BY service, start DESC, trace_id DESC, span_id DESC
    LIMIT 1 OFFSET ${uint64(profileSpansMax - 1)} BY service
  `
  const columns = sql`(groupArray(service), groupArray(start), groupArray(trace_id), groupArray(span_id))`
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

/** What services do at their boundaries, read from their spans (semantics, section 8). */
import { allOf, type Bounds, fromScoped, list, type Sql, sql, text, uint8, uint64 } from '../fragment.ts'
import type { IoPair, ServiceRules } from '../ir/facet.ts'
import { profileSpansMax } from '../limits.ts'
import { p95Level } from '../percentile.ts'
import { textList } from './attribute.ts'
import { carriedColumns, carriedPair, carriesKind, derivedPair, firstFitting, ioPairs } from './io-pair.ts'
import { allAreNewest, newestOfServices } from './newest-spans.ts'
import { ruleAttributes } from './rule-attributes.ts'

export interface ProfileQuestion {
  /** Of every service that has any, and may be in the answer. */
  readonly rules: readonly ServiceRules[]
  /** Only these services. */
  readonly services?: readonly string[]
  /** Only services behind this name. */
  readonly after?: string
  readonly limit?: number
  /** Only these spans of the services. */
  readonly bounds?: Bounds
  /** How many spans a service has at most, where that is known. */
  readonly spanCountMax?: number
}

/** What the newest spans of a service show. */
export interface ServiceProfile {
  readonly pairs: readonly IoPair[]
  readonly hasInternal: boolean
}

/** As many rules as there may be are evaluated fastest for whole blocks, without sorting out rows before each of them. */
export const profileSettings = { short_circuit_function_evaluation: 'disable' } as const

/**
 * Selects `service, span_count, error_count, p95_ns, profile` of every service that has spans, by name. Counts and the
 * percentile are of all its spans, the profile (see `readProfile`) of the newest. Rules cost least with `profileSettings`.
 */
export function serviceProfiles(question: ProfileQuestion): Sql {
  const { rules, services, after, limit, bounds, spanCountMax = Number.POSITIVE_INFINITY } = question
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
  return sql`SELECT service, count() AS span_count, countIf(status = 2) AS error_count, quantileExact(${p95Level})(duration_ns) AS p95_ns, groupBitOrIf(${bits}, is_newest) AS profile FROM (${spans}) GROUP BY service ORDER BY service${page}`
}

/** The lowest bit says that a span has no pair, the next ones are pairs, and the one after them is the kind Internal. */
const internalPlace = ioPairs.length + 1
const internalBit = uint64(2 ** internalPlace)

export function readProfile(profile: number): ServiceProfile {
  const has = (place: number) => (profile & (1 << place)) !== 0
  return { pairs: ioPairs.filter((_, index) => has(index + 1)), hasInternal: has(internalPlace) }
}

/**
 * Selects `decided_by, span_count` of the newest spans of one service: 0 where nobody decided, the place of the rule from 1,
 * and behind the last rule the span itself, which carries `io.kind`.
 */
export function classificationCounts({ service, rules }: ServiceRules): Sql {
  const where = sql`service = ${text(service)}`
  const { columns, satisfies } = ruleAttributes([{ service, rules }])
  const newest = newestOfServices(where)
  const read = list([newest.columns, carriedColumns, ...columns])
  const spans = sql`${newest.prefix}SELECT ${read} FROM ${fromScoped('spans', where)}`
  const byRule = firstFitting(rules, (_, index) => index + 1, satisfies)
  const telemetry = uint8(rules.length + 1)
  return sql`SELECT if(${carriesKind}, ${telemetry}, ${byRule}) AS decided_by, count() AS span_count FROM (${spans}) WHERE is_newest GROUP BY decided_by`
}

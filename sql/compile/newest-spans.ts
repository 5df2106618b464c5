/** The newest spans of each service: by start, then by ids, so that it is always the same ones. */
import { allOf, type Bounds, fromScoped, type Sql, sql, uint64 } from '../fragment.ts'
import { profileSpansMax } from '../limits.ts'

/** What a query about the newest spans of services has in it. */
export interface NewestSpans {
  /** Stands before the SELECT of the spans. */
  readonly prefix: Sql
  /** Columns of a span, the last of them `is_newest`: whether it is among the newest of its service. */
  readonly columns: Sql
}

/** Where no service has more spans than a profile is made from. */
export const allAreNewest: NewestSpans = { prefix: sql``, columns: sql`1 AS is_newest` }

export function newestOfServices(where: Sql, bounds: Bounds = {}): NewestSpans {
  return { prefix: sql`WITH ${crowdedServices(where, bounds)} `, columns: newestColumns }
}

/**
 * `crowded`: services that have more spans than a profile is made from, each with the last span that is still among them.
 * They are found by reading one narrow column; where there are none, nothing else is read.
 */
function crowdedServices(where: Sql, bounds: Bounds): Sql {
  const names = sql`SELECT service FROM ${fromScoped('spans', where, bounds)} GROUP BY service HAVING count() > ${uint64(profileSpansMax)}`
  const lastOfEach = sql`SELECT service, start, trace_id, span_id FROM ${fromScoped('spans', allOf([where, sql`service IN (${names})`]), bounds)} ORDER BY service, start DESC, trace_id DESC, span_id DESC LIMIT 1 OFFSET ${uint64(profileSpansMax - 1)} BY service`
  const columns = sql`(groupArray(service), groupArray(start), groupArray(trace_id), groupArray(span_id))`
  return sql`(SELECT ${columns} FROM (${lastOfEach})) AS crowded`
}

const newestColumns: Sql = sql`transform(service, crowded.1, arrayEnumerate(crowded.1), 0) AS crowded_place, (crowded_place = 0 OR start > crowded.2[crowded_place] OR (start = crowded.2[crowded_place] AND (trace_id, span_id) >= (crowded.3[crowded_place], crowded.4[crowded_place]))) AS is_newest`

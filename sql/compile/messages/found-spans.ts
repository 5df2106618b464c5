/** Reads the matched spans that a search shows. */
import { fromScoped, list, param, type Sql, sql } from '../../fragment.ts'
import type { Attribute } from '../../ir/condition.ts'
import { spanRecords } from '../../record-kinds/record-kinds.ts'
import { taggedText } from '../attribute.ts'

/** A row of `foundSpans`. Integers of 64 bits and more are texts. */
export interface FoundSpanRow {
  readonly trace_id: string
  readonly span_id: string
  readonly start_ns: string
  readonly duration_ns: string
  readonly name: string
  /** The tagged text of each attribute; empty for one that the span does not carry. */
  readonly tagged: readonly string[]
}

interface SpansToRead {
  /** Decimal texts of UInt128. */
  readonly traceIds: readonly string[]
  /** Decimal texts of UInt64. Each may be in any of the traces. */
  readonly spanIds: readonly string[]
  readonly attributes: readonly Attribute[]
}

/** Selects a `FoundSpanRow` for each span with one of the ids in one of the traces. */
export function foundSpans({ traceIds, spanIds, attributes }: SpansToRead): Sql {
  const tagged = attributes.map((attribute) => sql`CAST(${taggedText(attribute, spanRecords)}, 'String')`)
  const isFound = sql`has(${param('Array(UInt64)', `[${spanIds.join(',')}]`)}, span_id)`
  return sql`
    SELECT
      trace_id,
      span_id,
      toUnixTimestamp64Nano(start) AS start_ns,
      duration_ns,
      name,
      CAST([${list(tagged)}], 'Array(String)') AS tagged
    FROM ${fromScoped('spans', isFound, { traceIds })}
    ORDER BY trace_id, span_id, start_ns
    LIMIT 1 BY trace_id, span_id
  `
}

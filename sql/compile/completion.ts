/** Lists attribute keys and values that spans carry, for completion. */
import { fromScoped, list, perShard, type Sql, sql, text, uint64 } from '../fragment.ts'
import { attributeAlias, ownAttribute, ownAttributeOrNull } from '../identifier.ts'
import type { Attribute } from '../ir/condition.ts'
import type { SpanExpression } from '../ir/spanset.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { hotAttributeKeys } from '../schema/hot-attributes.ts'
import { taggedText } from './attribute.ts'
import { type TextPosition, textOrder, textPosition } from './list-order.ts'
import { compileSpanExpression } from './span-expression.ts'

function spansWith(filter: SpanExpression | undefined): Sql {
  return filter === undefined ? fromScoped('spans') : fromScoped('spans', compileSpanExpression(filter))
}

/** Selects `path, span_count` for every span attribute that is not hot. */
export function spanAttributePaths(filter?: SpanExpression): Sql {
  return sql`
    SELECT arrayJoin(cold_paths) AS path, count() AS span_count
    FROM ${spansWith(filter)}
    GROUP BY path
  `
}

/** Selects one row `hot`: the number of spans that carry each hot key, in the order of `hotAttributeKeys`. */
export function hotAttributeCounts(filter?: SpanExpression): Sql {
  const counts = [...hotAttributeKeys].map((key) => sql`countIf(${ownAttribute(key)} != '')`)
  return sql`SELECT [${list(counts)}] AS hot FROM ${spansWith(filter)}`
}

/** Selects one row `tags`: the distinct type tags of each key's values, in the order of the keys. */
export function spanAttributeTags(keys: readonly string[]): Sql {
  const read = keys.map((key, index) => sql`substring(${ownAttributeOrNull(key)}, 1, 1) AS ${attributeAlias(index)}`)
  const tags = keys.map((_, index) => sql`groupUniqArrayIf(${attributeAlias(index)}, ${attributeAlias(index)} != '')`)
  const spans = sql`SELECT ${list(read)} FROM ${fromScoped('spans')}`
  return sql`SELECT [${list(tags)}] AS tags FROM ${perShard(spans)}`
}

/** Selects `list, span_count` for every distinct list of resource attributes. */
export function resourceAttributeLists(filter?: SpanExpression): Sql {
  return sql`
    SELECT resource_attributes AS list, count() AS span_count
    FROM ${spansWith(filter)}
    GROUP BY resource_attributes
  `
}

export interface ValuesPage {
  /** Selects only values whose text has this prefix. */
  readonly prefix: string
  /** Selects only values after this one. */
  readonly after?: { readonly value: TextPosition; readonly tag: string }
  readonly limit: number
  /** Reads only the spans for which this is true. */
  readonly filter?: SpanExpression
}

/** The tags of value types (attribute-text.ts), sorted by the names of the types. */
const tagOrder = 'abydiksn'

/** Selects `value, tag, span_count` for the values of a key, in the order of texts and then by type name. */
export function attributeValues(attribute: Attribute, { prefix, after, limit, filter }: ValuesPage): Sql {
  const rankOf = (tag: Sql) => sql`position(${text(tagOrder)}, ${tag})`
  const order = list([...textOrder(sql`value`), rankOf(sql`tag`)])
  const isLater =
    after === undefined
      ? sql`1`
      : sql`(${order}) > (${list([...textPosition(after.value), rankOf(sql`${text(after.tag)}`)])})`
  const values = sql`
    SELECT toString(${taggedText(attribute, spanRecords)}) AS tagged
    FROM ${spansWith(filter)}`
  const counted = sql`
    SELECT substring(tagged, 2) AS value, substring(tagged, 1, 1) AS tag, count() AS span_count
    FROM ${perShard(values)}
    WHERE tagged != '' AND startsWith(substring(tagged, 2), ${text(prefix)})
    GROUP BY value, tag
  `
  return sql`
    SELECT value, tag, span_count
    FROM (${counted})
    WHERE ${isLater}
    ORDER BY ${order}
    LIMIT ${uint64(limit)}
  `
}

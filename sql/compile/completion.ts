/** Which attribute keys and values the population carries, for completion. */
import { fromScoped, list, perShard, type Sql, sql, text, uint64 } from '../fragment.ts'
import { attributeAlias, ownAttribute } from '../identifier.ts'
import type { Attribute } from '../ir/condition.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { hotAttributeKeys } from '../schema/hot-attributes.ts'
import { taggedText } from './attribute.ts'

/** Selects `path, span_count` of every span attribute; hot paths are named whether or not a span carries them. */
export function spanAttributePaths(): Sql {
  return sql`SELECT arrayJoin(JSONAllPaths(attributes)) AS path, count() AS span_count FROM ${fromScoped('spans')} GROUP BY path`
}

/** Selects the one row `hot`: for each hot key, in the order of `hotAttributeKeys`, how many spans carry it. */
export function hotAttributeCounts(): Sql {
  return sql`SELECT [${list([...hotAttributeKeys].map((key) => sql`countIf(${ownAttribute(key)} != '')`))}] AS hot FROM ${fromScoped('spans')}`
}

/** Selects the one row `tags`: for each of the keys, in their order, the distinct type tags of its values. */
export function spanAttributeTags(keys: readonly string[]): Sql {
  const read = keys.map((key, index) => sql`substring(${ownAttribute(key)}, 1, 1) AS ${attributeAlias(index)}`)
  const tags = keys.map((_, index) => sql`groupUniqArrayIf(${attributeAlias(index)}, ${attributeAlias(index)} != '')`)
  return sql`SELECT [${list(tags)}] AS tags FROM ${perShard(sql`SELECT ${list(read)} FROM ${fromScoped('spans')}`)}`
}

/** Selects `list, span_count` of every distinct list of resource attributes. */
export function resourceAttributeLists(): Sql {
  return sql`SELECT resource_attributes AS list, count() AS span_count FROM ${fromScoped('spans')} GROUP BY resource_attributes`
}

export interface ValuesPage {
  readonly prefix: string
  /** Go on after this value and tag. */
  readonly after?: { readonly value: string; readonly tag: string }
  readonly limit: number
}

/** Tags in the alphabetical order of their types' names. */
const tagOrder = 'abydiksn'

/** Selects `value, tag, span_count` of what spans carry under a key, by text, then by the name of the type. */
export function attributeValues(attribute: Attribute, { prefix, after, limit }: ValuesPage): Sql {
  const rank = sql`position(${text(tagOrder)}, tag)`
  const later =
    after === undefined
      ? sql`1`
      : sql`(value, ${rank}) > (${text(after.value)}, position(${text(tagOrder)}, ${text(after.tag)}))`
  const values = sql`SELECT toString(${taggedText(attribute, spanRecords)}) AS tagged FROM ${fromScoped('spans')}`
  const counted = sql`SELECT substring(tagged, 2) AS value, substring(tagged, 1, 1) AS tag, count() AS span_count FROM ${perShard(values)} WHERE tagged != '' AND startsWith(substring(tagged, 2), ${text(prefix)}) GROUP BY value, tag`
  return sql`SELECT value, tag, span_count FROM (${counted}) WHERE ${later} ORDER BY value, ${rank} LIMIT ${uint64(limit)}`
}

/** Which attribute keys and values the population carries, for completion. */
import { joinSql, param, population, type Sql, sql, text } from '../fragment.ts'
import { attributeAlias, spanAttribute } from '../identifier.ts'
import type { Attribute } from '../ir/condition.ts'
import { hotAttributeKeys } from '../schema/hot-attributes.ts'
import { durationKey, durationText, intrinsicTexts, listAttribute } from './attribute.ts'

/** Selects `path, span_count` of every span attribute; hot paths are named whether or not a span carries them. */
export function spanAttributePaths(): Sql {
  return sql`SELECT arrayJoin(JSONAllPaths(attributes)) AS path, count() AS span_count FROM ${population()} GROUP BY path`
}

/** Selects the one row `hot`: for each hot key, in the order of `hotAttributeKeys`, how many spans carry it. */
export function hotAttributeCounts(): Sql {
  return sql`SELECT [${commas([...hotAttributeKeys].map((key) => sql`countIf(${spanAttribute(key)} != '')`))}] AS hot FROM ${population()}`
}

/** Selects the one row `tags`: for each of the keys, in their order, the distinct type tags of its values. */
export function spanAttributeTags(keys: readonly string[]): Sql {
  const read = keys.map((key, index) => sql`substring(${spanAttribute(key)}, 1, 1) AS ${attributeAlias(index)}`)
  const tags = keys.map((_, index) => sql`groupUniqArrayIf(${attributeAlias(index)}, ${attributeAlias(index)} != '')`)
  return sql`SELECT [${commas(tags)}] AS tags FROM (SELECT ${commas(read)} FROM ${population()})`
}

/** Selects `list, span_count` of every distinct list of resource attributes. */
export function resourceAttributeLists(): Sql {
  return sql`SELECT resource_attributes AS list, count() AS span_count FROM ${population()} GROUP BY resource_attributes`
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
  const values = sql`SELECT toString(${taggedText(attribute)}) AS tagged FROM ${population()}`
  const counted = sql`SELECT substring(tagged, 2) AS value, substring(tagged, 1, 1) AS tag, count() AS span_count FROM (${values}) WHERE tagged != '' AND startsWith(substring(tagged, 2), ${text(prefix)}) GROUP BY value, tag`
  return sql`SELECT value, tag, span_count FROM (${counted}) WHERE ${later} ORDER BY value, ${rank} LIMIT ${param('UInt64', String(limit))}`
}

/** The tagged text that a source and key read, the empty text where it is absent. */
function taggedText({ source, key }: Attribute): Sql {
  const own = spanAttribute(key)
  switch (source) {
    case 'span':
      return own
    case 'resource':
      return listAttribute('resource_attributes', key)
    case 'any':
      return sql`if(${own} != '', ${own}, ${listAttribute('resource_attributes', key)})`
    case 'intrinsic':
      return key === durationKey
        ? sql`concat('d', ${durationText})`
        : sql`concat('s', ${intrinsicTexts[key] ?? sql`''`})`
  }
}

function commas(columns: readonly Sql[]): Sql {
  return joinSql(columns, sql`, `)
}

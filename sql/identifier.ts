import { pathOfKey } from './attribute-path.ts'
import { type Sql, sql, trusted } from './fragment.ts'
import { hotAttributeKeys } from './schema/hot-attributes.ts'

/** The one way from an attribute key to SQL text: its path holds letters, digits, `_`, `-` and `%` alone. */
function quotePath(key: string): string {
  return `\`${pathOfKey(key)}\``
}

/** The tagged text of an attribute in the column `attributes` of a record, the empty text where it does not carry the key. */
export function ownAttribute(key: string): Sql {
  if (hotAttributeKeys.has(key)) return trusted(`attributes.${quotePath(key)}`)
  return sql`ifNull(${trusted(`attributes.${quotePath(key)}.:String`)}, '')`
}

/** Whether a record carries an attribute of its own: decided without the text, which takes three times as long to read. */
export function carriesAttribute(key: string): Sql {
  if (hotAttributeKeys.has(key)) return sql`${ownAttribute(key)} != ''`
  return sql`NOT ${trusted(`attributes.${quotePath(key)}.:String.null`)}`
}

/** `rule_0`, `rule_1`, …: columns of inner queries that are told apart by number. */
export function ruleColumn(index: number): Sql {
  return trusted(`rule_${Math.trunc(index)}`)
}

/** `rules_0`, `rules_1`, …: many of these columns as the bits of a number. */
export function ruleBitsColumn(group: number): Sql {
  return trusted(`rules_${Math.trunc(group)}`)
}

/** Names of the intermediate arrays of a walk; a query may make several. */
export function walkColumn(walk: 'rules' | 'anchors' | 'callers', name: 'numbers' | 'packed'): Sql {
  return trusted(`${walk}_${name}`)
}

/** `attribute_0`, `attribute_1`, …: attributes of one query that are told apart by number. */
export function attributeAlias(index: number): Sql {
  return trusted(`attribute_${Math.trunc(index)}`)
}

/** `value_0`, `value_1`, …: values of one query that are told apart by number. */
export function measuredColumn(index: number): Sql {
  return trusted(`value_${Math.trunc(index)}`)
}

/** `group_0`, `group_1`, …: what the answer of one query is grouped by. */
export function groupColumn(index: number): Sql {
  return trusted(`group_${Math.trunc(index)}`)
}

/** A name from the configuration, which lets no other pass. @throws Error for one that would need escapes */
export function quoteName(name: string): Sql {
  if (!/^\w+$/.test(name)) throw new Error(`${name} is no name of letters, digits and _.`)
  return trusted(`\`${name}\``)
}

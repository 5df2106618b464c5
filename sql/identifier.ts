import { pathOfKey } from './attribute-text.ts'
import { type Sql, sql, trusted } from './fragment.ts'
import { hotAttributeKeys } from './schema/hot-attributes.ts'
import { type TelemetryTable, telemetryTables } from './schema/tables.ts'

/**
 * Quotes the path of a key. Keys reach SQL text only through this function. A path contains only letters, digits, `_`,
 * `-` and `%`.
 */
function quotePath(key: string): string {
  return `\`${pathOfKey(key)}\``
}

/**
 * Returns the tagged text of an attribute in the column `attributes`; the empty text if the record does not carry the
 * key.
 */
export function ownAttribute(key: string): Sql {
  if (hotAttributeKeys.has(key)) return trusted(`attributes.${quotePath(key)}`)
  return sql`ifNull(${trusted(`attributes.${quotePath(key)}.:String`)}, '')`
}

/**
 * Returns the tagged text of an attribute in the column `attributes`; NULL, or the empty text for a hot key, if the
 * record does not carry the key. For aggregates, which skip NULL sooner than the empty text.
 */
export function ownAttributeOrNull(key: string): Sql {
  return hotAttributeKeys.has(key) ? ownAttribute(key) : trusted(`attributes.${quotePath(key)}.:String`)
}

/** Tests whether a record carries an attribute, without reading its text, which would take three times as long. */
export function carriesAttribute(key: string): Sql {
  if (hotAttributeKeys.has(key)) return sql`${ownAttribute(key)} != ''`
  return sql`NOT ${trusted(`attributes.${quotePath(key)}.:String.null`)}`
}

/** Names the column of a rule in an inner query: `rule_0`, `rule_1`, … */
export function ruleColumn(index: number): Sql {
  return trusted(`rule_${Math.trunc(index)}`)
}

/** Names a column that holds many rules as the bits of a number: `rules_0`, `rules_1`, … */
export function ruleBitsColumn(group: number): Sql {
  return trusted(`rules_${Math.trunc(group)}`)
}

/** Names the array of a column of rule bits over all stored rows of a trace: `row_rules_0`, … */
export function rowRuleBitsArray(group: number): Sql {
  return trusted(`row_rules_${Math.trunc(group)}`)
}

/** Names the array of a column of rule bits over all spans of a trace: `rules_of_spans_0`, … */
export function spanRuleBitsArray(group: number): Sql {
  return trusted(`rules_of_spans_${Math.trunc(group)}`)
}

/** Names the array of an attribute of the matched steps that carry some attributes: `carried_0`, `carried_1`, … */
export function carriedArray(index: number): Sql {
  return trusted(`carried_${Math.trunc(index)}`)
}

/** A walk of a query, which names its intermediate arrays: one for the rules of a slice, one for each relation, … */
export type Walk =
  | 'rules'
  | 'rules_before'
  | 'rules_after'
  | 'anchors'
  | 'callers'
  | 'reached'
  | `relation_${number}`
  | `rules_${number}`
  | `spanset_${number}`

/** Names an intermediate array of a walk. A query may contain several walks. */
export function walkColumn(walk: Walk, name: 'numbers' | 'packed'): Sql {
  return trusted(`${walk}_${name}`)
}

/** Names the array of the steps that satisfy a relation: `relation_0`, `relation_1`, … */
export function relationColumn(index: number): Sql {
  return trusted(`relation_${Math.trunc(index)}`)
}

/** Names an element of the array of a relation within a lambda: `is_related_0`, `is_related_1`, … */
export function relatedName(index: number): Sql {
  return trusted(`is_related_${Math.trunc(index)}`)
}

/** Names the array of the spans that a part of a spanset selects: `spanset_0`, `spanset_1`, … */
export function spansetColumn(index: number): Sql {
  return trusted(`spanset_${Math.trunc(index)}`)
}

/** Names the condition on the trace without which a part of a spanset selects nothing. */
export function spansetHolds(index: number): Sql {
  return trusted(`spanset_${Math.trunc(index)}_holds`)
}

/** Names an attribute of a query: `attribute_0`, `attribute_1`, … */
export function attributeAlias(index: number): Sql {
  return trusted(`attribute_${Math.trunc(index)}`)
}

/** Names the array of an attribute of all stored rows of a trace: `row_attribute_0`, … */
export function rowAttributeArray(index: number): Sql {
  return trusted(`row_attribute_${Math.trunc(index)}`)
}

/** Names the array of an attribute of all spans of a trace: `attributes_0`, … */
export function spanAttributeArray(index: number): Sql {
  return trusted(`attributes_${Math.trunc(index)}`)
}

/** Names the attribute of the first step that carries it: `first_0`, … */
export function firstCarried(index: number): Sql {
  return trusted(`first_${Math.trunc(index)}`)
}

/** Names the attribute of the root: `root_0`, … */
export function rootCarried(index: number): Sql {
  return trusted(`root_${Math.trunc(index)}`)
}

/** Names a value of a query: `value_0`, `value_1`, … */
export function measuredColumn(index: number): Sql {
  return trusted(`value_${Math.trunc(index)}`)
}

/** Names an attribute by which the rows of a query are grouped: `group_0`, `group_1`, … */
export function groupColumn(index: number): Sql {
  return trusted(`group_${Math.trunc(index)}`)
}

/** Names the column of a term of the value index: `term_0`, `term_1`, … */
export function termColumn(index: number): Sql {
  return trusted(`term_${Math.trunc(index)}`)
}

/** Names a column of places of the value index: `places_0`, `places_1`, … */
export function placesColumn(index: number): Sql {
  return trusted(`places_${Math.trunc(index)}`)
}

/** Returns the name of a telemetry table. */
export function tableName(table: TelemetryTable): Sql {
  return trusted(table)
}

/** Returns the time column of a telemetry table: the end of the range for rows that cover a range of time. */
export function timeOf(table: TelemetryTable): Sql {
  return trusted(telemetryTables[table].time)
}

/** Returns the column in which the range of a row begins; the time column for rows that cover no range. */
export function beginOf(table: TelemetryTable): Sql {
  const declared = telemetryTables[table]
  return trusted('begin' in declared ? declared.begin : declared.time)
}

/** Returns the expression by which rows of a telemetry table are distributed over shards. */
export function shardingKeyOf(table: TelemetryTable): Sql {
  return trusted(telemetryTables[table].shardingKey)
}

/** Returns the name of a table of the chain that locks migrations: `schema_lock_1`, `schema_lock_2`, … */
export function lockTable(number: number): Sql {
  return trusted(`schema_lock_${Math.trunc(number)}`)
}

/** Returns a whole number as a literal, for statements that cannot have parameters. */
export function integerLiteral(value: number): Sql {
  return trusted(String(Math.trunc(value)))
}

/** Returns a whole number as a string literal. */
export function integerText(value: number): Sql {
  return trusted(`'${Math.trunc(value)}'`)
}

/** Quotes the name of a database, table, column or cluster. @throws Error for a name that would need escaping */
export function quoteName(name: string): Sql {
  if (!/^\w+$/.test(name)) throw new Error(`Not a name of letters, digits and underscores: ${name}`)
  return trusted(`\`${name}\``)
}

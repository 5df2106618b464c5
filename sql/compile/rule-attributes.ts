/** Thousands of classification rules ask for a few attributes: each is read once, into a column of an inner query. */
import { type Sql, sql } from '../fragment.ts'
import { attributeAlias } from '../identifier.ts'
import type { Attribute, Condition } from '../ir/condition.ts'
import type { ServiceRules } from '../ir/facet.ts'
import type { RecordKind } from '../record-kinds/record-kinds.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { isCarried, taggedText } from './attribute.ts'
import { compileCondition } from './condition.ts'

export interface RuleAttributes {
  /** To stand behind the columns of spans in the inner query. */
  readonly columns: readonly Sql[]
  /** Whether a row of the inner query satisfies the condition of one of the rules. */
  readonly satisfies: (condition: Condition) => Sql
}

export function ruleAttributes(ofServices: readonly ServiceRules[]): RuleAttributes {
  const attributes = new Map<string, Attribute>()
  for (const { rules } of ofServices)
    for (const { condition } of rules) attributes.set(nameOf(condition.attribute), condition.attribute)
  const aliases = new Map([...attributes.keys()].map((name, index) => [name, attributeAlias(index)]))
  const own = (name: string) => aliases.get(name) ?? unread(name)
  const records: RecordKind = { ...spanRecords, own, carries: (name) => isCarried(own(name)) }
  return {
    columns: [...attributes].map(([name, attribute]) => sql`${taggedText(attribute, spanRecords)} AS ${own(name)}`),
    satisfies: ({ attribute, ...asked }) =>
      compileCondition({ ...asked, attribute: { source: spanRecords.ownSource, key: nameOf(attribute) } }, records),
  }
}

function nameOf({ source, key }: Attribute): string {
  return JSON.stringify([source, key])
}

function unread(name: string): never {
  throw new Error(`The attribute ${name} of a rule was not read.`)
}

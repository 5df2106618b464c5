/**
 * The pair of `io.kind` and `io.role` of a span: the pair that it carries, or else the one that a classification rule
 * of its service assigns (docs/semantics.md, section 8). In SQL, a pair is a code: its position in `ioPairs`, counted
 * from 1, or 0 for no pair.
 */
import { list, type Sql, sql, text, uint8 } from '../../fragment.ts'
import { attributeAlias, ownAttribute } from '../../identifier.ts'
import type { Attribute, Condition } from '../../ir/condition.ts'
import { type ClassificationRule, type IoPair, ioKinds, ioRoles, type ServiceRules } from '../../ir/facet.ts'
import { type RecordKind, spanRecords } from '../../record-kinds/record-kinds.ts'
import { isCarried, resourceAttribute, taggedText, textList, textOf } from '../attribute.ts'
import { compileCondition, compileSpanCondition } from '../condition.ts'

export const ioPairs: readonly IoPair[] = ioKinds.flatMap((kind) => ioRoles.map((role) => ({ kind, role })))

const kindCount = uint8(ioKinds.length)
const roleCount = uint8(ioRoles.length)

/** The columns of a span that `carriesKind` and `carriedPair` read. */
export const carriedColumns: Sql = sql`
  ${carriedCode('io.kind', ioKinds)} AS kind_code,
  ${carriedCode('io.role', ioRoles)} AS role_code
`

/** Tests whether the span carries `io.kind`, with any value. Rules do not apply to such a span. */
export const carriesKind: Sql = sql`(kind_code > 0)`

/** The code of the pair that the span itself carries. */
export const carriedPair: Sql = sql`
  if(
    kind_code <= ${kindCount} AND role_code BETWEEN 1 AND ${roleCount},
    toUInt8((kind_code - 1) * ${roleCount} + role_code),
    0
  )
`

/**
 * Returns the code of an attribute: the position of its text in `values`, counted from 1; the next number for any other
 * text; 0 if the attribute is absent. The attribute of the span takes precedence over that of the resource.
 */
function carriedCode(key: string, values: readonly string[]): Sql {
  const own = ownAttribute(key)
  return sql`
    if(
      ${isCarried(own)},
      ${codeOfText(own, values)},
      ${codeOfText(resourceAttribute(key), values)}
    )
  `
}

function codeOfText(tagged: Sql, values: readonly string[]): Sql {
  const texts = values.map((value) => sql`${text(value)}`)
  const codes = values.map((_, index) => sql`${uint8(index + 1)}`)
  return sql`
    if(
      ${isCarried(tagged)},
      transform(${textOf(tagged)}, [${list(texts)}], [${list(codes)}], ${uint8(values.length + 1)}),
      0
    )
  `
}

/**
 * Returns the code of the pair that the first matching rule of the span's service assigns. Services with equal rules
 * share one list.
 */
export function derivedPair(servicesRules: readonly ServiceRules[], satisfies: Satisfies): Sql {
  const groups = new Map<string, { services: string[]; rules: readonly ClassificationRule[] }>()
  for (const { service, rules } of servicesRules) {
    const identity = JSON.stringify(rules)
    const group = groups.get(identity) ?? { services: [], rules }
    groups.set(identity, group)
    group.services.push(service)
  }
  const branches = [...groups.values()].map(({ services, rules }) => {
    return sql`service IN ${textList(services)}, ${firstFitting(rules, ({ pair }) => codeOf(pair), satisfies)}`
  })
  return choose(branches)
}

/** Tests whether a span of the rules' service has this pair, carried or derived. Reads `carriedColumns`. */
export function isOfPair(pair: IoPair, rules: readonly ClassificationRule[]): Sql {
  const derived = firstFitting(rules, (rule) => codeOf(rule.pair))
  return sql`if(${carriesKind}, ${carriedPair}, ${derived}) = ${uint8(codeOf(pair))}`
}

/** Compiles the condition of a rule. */
type Satisfies = (condition: Condition) => Sql

/**
 * Returns the number that `answer` assigns to the first rule that the span satisfies, or 0 if it satisfies no rule. It
 * is a UInt8, because many such columns are in memory at the same time.
 */
export function firstFitting(
  rules: readonly ClassificationRule[],
  answer: (rule: ClassificationRule, index: number) => number,
  satisfies: Satisfies = compileSpanCondition,
): Sql {
  return choose(rules.map((rule, index) => sql`${satisfies(rule.condition)}, ${uint8(answer(rule, index))}`))
}

function choose(branches: readonly Sql[]): Sql {
  return branches.length === 0 ? sql`0` : sql`multiIf(${list(branches)}, 0)`
}

function codeOf({ kind, role }: IoPair): number {
  return ioKinds.indexOf(kind) * ioRoles.length + ioRoles.indexOf(role) + 1
}

export interface RuleAttributes {
  /** Columns of the inner query, in addition to those of spans. */
  readonly columns: readonly Sql[]
  /** Tests whether a row of the inner query satisfies the condition of a rule. */
  readonly satisfies: Satisfies
}

/**
 * Reads each attribute that the rules test once, into a column of an inner query. Thousands of rules test few
 * attributes.
 */
export function ruleAttributes(servicesRules: readonly ServiceRules[]): RuleAttributes {
  const attributes = new Map<string, Attribute>()
  for (const { rules } of servicesRules)
    for (const { condition } of rules) attributes.set(nameOf(condition.attribute), condition.attribute)
  const aliases = new Map([...attributes.keys()].map((name, index) => [name, attributeAlias(index)]))
  const own = (name: string) => aliases.get(name) ?? unread(name)
  const rows: RecordKind = { ...spanRecords, own, carries: (name) => isCarried(own(name)) }
  return {
    columns: [...attributes].map(([name, attribute]) => sql`${taggedText(attribute, spanRecords)} AS ${own(name)}`),
    satisfies: ({ attribute, ...rest }) =>
      compileCondition({ ...rest, attribute: { source: rows.ownSource, key: nameOf(attribute) } }, rows),
  }
}

function nameOf({ source, key }: Attribute): string {
  return JSON.stringify([source, key])
}

function unread(name: string): never {
  throw new Error(`The attribute ${name} of a rule was not read.`)
}

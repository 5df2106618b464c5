/** Which pair of `io.kind` and `io.role` a span has: as a code, 0 for none, else its place in `ioPairs` from 1. */
import { list, type Sql, sql, text, uint8 } from '../fragment.ts'
import { ownAttribute } from '../identifier.ts'
import type { Condition } from '../ir/condition.ts'
import { type ClassificationRule, type IoPair, ioKinds, ioRoles, type ServiceRules } from '../ir/facet.ts'
import { isCarried, listAttribute, textList, textOf } from './attribute.ts'
import { compileSpanCondition } from './condition.ts'

export const ioPairs: readonly IoPair[] = ioKinds.flatMap((kind) => ioRoles.map((role) => ({ kind, role })))

/** Columns of a span that `carriesKind` and `carriedPair` are made from. */
export const carriedColumns: Sql = sql`${carriedCode('io.kind', ioKinds)} AS kind_code, ${carriedCode('io.role', ioRoles)} AS role_code`

/** Whether the span carries `io.kind`, whatever its value: no rule is asked then. */
export const carriesKind: Sql = sql`(kind_code > 0)`

/** The code of what the span itself carries. */
export const carriedPair: Sql = sql`if(kind_code <= ${uint8(ioKinds.length)} AND role_code BETWEEN 1 AND ${uint8(ioRoles.length)}, toUInt8((kind_code - 1) * ${uint8(ioRoles.length)} + role_code), 0)`

/** 0: not carried; the place of its text among the values, from 1; beyond them: any other value. The span decides before the resource. */
function carriedCode(key: string, values: readonly string[]): Sql {
  const own = codeOfText(ownAttribute(key), values)
  return sql`if(${isCarried(ownAttribute(key))}, ${own}, ${codeOfText(listAttribute('resource_attributes', key), values)})`
}

function codeOfText(tagged: Sql, values: readonly string[]): Sql {
  const codes = values.map((_, index) => sql`${uint8(index + 1)}`)
  return sql`if(${isCarried(tagged)}, transform(${textOf(tagged)}, [${list(values.map((value) => sql`${text(value)}`))}], [${list(codes)}], ${uint8(values.length + 1)}), 0)`
}

/** The code that the first fitting rule of the span's service gives it. Services with the same rules share one list. */
export function derivedPair(ofServices: readonly ServiceRules[], satisfies: Satisfies): Sql {
  const named = new Map<string, { services: string[]; rules: readonly ClassificationRule[] }>()
  for (const { service, rules } of ofServices) {
    const identity = JSON.stringify(rules)
    const same = named.get(identity) ?? { services: [], rules }
    named.set(identity, same)
    same.services.push(service)
  }
  const branches = [...named.values()].map(({ services, rules }) => {
    return sql`service IN ${textList(services)}, ${firstFitting(rules, ({ pair }) => codeOf(pair), satisfies)}`
  })
  return choose(branches)
}

/** Whether a span of the rules' service has this pair: its own, else the one that the first fitting rule gives it. Needs `carriedColumns`. */
export function isOfPair(pair: IoPair, rules: readonly ClassificationRule[]): Sql {
  const derived = firstFitting(rules, (rule) => codeOf(rule.pair))
  return sql`if(${carriesKind}, ${carriedPair}, ${derived}) = ${uint8(codeOf(pair))}`
}

type Satisfies = (condition: Condition) => Sql

/**
 * What `answer` makes of the first rule that the span satisfies, 0 where it satisfies none; as narrow as it may be, because
 * columns of rules are many, and live side by side.
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

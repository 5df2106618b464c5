/** What a span does at the boundary of its service: by its own `io.kind` and `io.role`, else by the first rule that fits it. */
import { allOf, anyOf, joinSql, type Sql, sql } from '../fragment.ts'
import type { Condition, Test } from '../ir/condition.ts'
import type { ClassificationRule, IoPair } from '../ir/facet.ts'
import { compileSpanCondition } from './span-surface.ts'

/** Whether a span has this pair. A rule before the one that would give it takes the span away. */
export function isOfPair({ kind, role }: IoPair, rules: readonly ClassificationRule[]): Sql {
  const carried = allOf([
    carries('io.kind', { kind: 'eq', value: kind }),
    carries('io.role', { kind: 'eq', value: role }),
  ])
  if (rules.length === 0) return carried
  const first = rules.map(({ condition, pair }) => {
    const isPair = pair.kind === kind && pair.role === role ? sql`1` : sql`0`
    return sql`${compileSpanCondition(condition)}, ${isPair}`
  })
  const ruled = sql`multiIf(${joinSql(first, sql`, `)}, 0)`
  return anyOf([carried, allOf([sql`NOT ${carries('io.kind', { kind: 'exists' })}`, ruled])])
}

function carries(key: string, test: Test): Sql {
  const condition: Condition = { attribute: { source: 'any', key }, test, negated: false }
  return compileSpanCondition(condition)
}

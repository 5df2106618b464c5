import { type Sql, sql } from '../fragment.ts'
import { carriesAttribute, ownAttribute } from '../identifier.ts'
import type { Condition } from '../ir/condition.ts'
import { compileCondition } from './condition.ts'
import { intrinsicKeysOf, type Surface } from './surface.ts'

/** Conditions about one span (semantics, section 2). */
export const spanSurface: Surface = {
  ownSource: 'span',
  own: ownAttribute,
  carries: carriesAttribute,
  intrinsics: {
    service: { kind: 'text', text: sql`service` },
    name: { kind: 'text', text: sql`name` },
    kind: {
      kind: 'text',
      text: sql`['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'][kind + 1]`,
    },
    status: { kind: 'text', text: sql`['unset', 'ok', 'error'][status + 1]` },
    status_message: { kind: 'text', text: sql`status_message` },
    scope_name: { kind: 'text', text: sql`scope_name` },
    duration_ms: { kind: 'milliseconds', nanoseconds: sql`duration_ns` },
  },
}

export const intrinsicKeys = intrinsicKeysOf(spanSurface)

export function compileSpanCondition(condition: Condition): Sql {
  return compileCondition(condition, spanSurface)
}

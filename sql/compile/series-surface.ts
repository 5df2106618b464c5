import { sql } from '../fragment.ts'
import { carriesAttribute, ownAttribute } from '../identifier.ts'
import type { Surface } from './surface.ts'

/** Conditions about one series of a metric (semantics, section 7). */
export const seriesSurface: Surface = {
  ownSource: 'point',
  own: ownAttribute,
  carries: carriesAttribute,
  intrinsics: {
    service: { kind: 'text', text: sql`service` },
    unit: { kind: 'text', text: sql`unit` },
    scope_name: { kind: 'text', text: sql`scope_name` },
  },
}

import { sql } from '../fragment.ts'
import { carriesAttribute, ownAttribute } from '../identifier.ts'
import type { Surface } from './surface.ts'

/** Conditions about one log record (semantics, section 7). */
export const logSurface: Surface = {
  ownSource: 'log',
  own: ownAttribute,
  carries: carriesAttribute,
  intrinsics: {
    service: { kind: 'text', text: sql`service` },
    severity: { kind: 'text', text: sql`severity_text` },
    severity_number: { kind: 'integer', integer: sql`severity_number` },
    // Of a record without a body it is an unset value, which is carried and has the empty text.
    body: { kind: 'tagged', tagged: sql`body` },
    trace_id: { kind: 'id', number: sql`trace_id`, digits: 32 },
    span_id: { kind: 'id', number: sql`span_id`, digits: 16 },
  },
}

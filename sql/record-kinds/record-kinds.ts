/**
 * The kinds of record that conditions test: spans, log records and the series of a metric. A kind defines its attribute
 * sources and intrinsics, and how each is read in SQL. The tests themselves are in compile/condition.ts.
 */
import { type Sql, sql } from '../fragment.ts'
import { carriesAttribute, ownAttribute } from '../identifier.ts'
import type { AttributeSource, OwnSource } from '../ir/condition.ts'

export interface RecordKind {
  /** The source of the record's own attributes. */
  readonly ownSource: OwnSource
  /** Returns the tagged text of an own attribute; the empty text if the record does not carry it. */
  readonly own: (key: string) => Sql
  /** Tests whether the record itself carries the attribute. */
  readonly carries: (key: string) => Sql
  readonly intrinsics: Readonly<Record<string, Intrinsic>>
}

/** How an intrinsic is stored. */
export type Intrinsic =
  /** A text that every record carries. */
  | { readonly kind: 'text'; readonly text: Sql }
  /** A tagged text, as attributes are; the empty text if the record does not carry it. */
  | { readonly kind: 'tagged'; readonly tagged: Sql }
  /** An integer that every record carries. */
  | { readonly kind: 'integer'; readonly integer: Sql }
  /** A number whose text is this many lower-case hexadecimal digits. 0 stands for no id, whose text is empty. */
  | { readonly kind: 'id'; readonly number: Sql; readonly digits: 16 | 32 }
  /** A number of milliseconds, stored exactly as nanoseconds. */
  | { readonly kind: 'milliseconds'; readonly nanoseconds: Sql }

/** Spans (docs/semantics.md, section 2). */
export const spanRecords: RecordKind = {
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

/** Log records (docs/semantics.md, section 7). */
export const logRecords: RecordKind = {
  ownSource: 'log',
  own: ownAttribute,
  carries: carriesAttribute,
  intrinsics: {
    service: { kind: 'text', text: sql`service` },
    severity: { kind: 'text', text: sql`severity_text` },
    severity_number: { kind: 'integer', integer: sql`severity_number` },
    // A record without a body stores an unset value, so its body exists and has an empty text.
    body: { kind: 'tagged', tagged: sql`body` },
    trace_id: { kind: 'id', number: sql`trace_id`, digits: 32 },
    span_id: { kind: 'id', number: sql`span_id`, digits: 16 },
  },
}

/** Series of a metric (docs/semantics.md, section 7). */
export const seriesRecords: RecordKind = {
  ownSource: 'point',
  own: ownAttribute,
  carries: carriesAttribute,
  intrinsics: {
    service: { kind: 'text', text: sql`service` },
    unit: { kind: 'text', text: sql`unit` },
    scope_name: { kind: 'text', text: sql`scope_name` },
  },
}

export const intrinsicKeys = intrinsicKeysOf(spanRecords)

/** Returns an intrinsic. @throws Error for a key that `parse` would have refused */
export function intrinsicOf({ intrinsics }: RecordKind, key: string): Intrinsic {
  const intrinsic = Object.hasOwn(intrinsics, key) ? intrinsics[key] : undefined
  if (intrinsic === undefined) throw new Error(`There is no intrinsic ${key}.`)
  return intrinsic
}

export function sourcesOf({ ownSource }: RecordKind): readonly AttributeSource[] {
  return ['any', ownSource, 'resource', 'intrinsic']
}

export function intrinsicKeysOf({ intrinsics }: RecordKind): readonly string[] {
  return Object.keys(intrinsics)
}

/**
 * What conditions are about: one span, one series, one log record. A surface says how its records are read; what is asked
 * of them stands in condition.ts, and how they are scoped in scope.ts.
 */
import type { Sql } from '../fragment.ts'
import type { AttributeSource, OwnSource } from '../ir/condition.ts'

export interface Surface {
  /** What the record's own attributes are called as a source. */
  readonly ownSource: OwnSource
  /** The tagged text of an attribute of its own, the empty text where it is absent. */
  readonly own: (key: string) => Sql
  /** Whether it has that attribute. */
  readonly carries: (key: string) => Sql
  readonly intrinsics: Readonly<Record<string, Intrinsic>>
}

/** `text`: always carried. `tagged`: typed as attributes are, the empty text where it is absent. */
export type Intrinsic =
  | { readonly kind: 'text'; readonly text: Sql }
  | { readonly kind: 'tagged'; readonly tagged: Sql }
  /** Always carried, a whole number. */
  | { readonly kind: 'integer'; readonly integer: Sql }
  /** Always carried: an id in lower-case hexadecimal digits, held as a number; none, which is 0, is the empty text. */
  | { readonly kind: 'id'; readonly number: Sql; readonly digits: 16 | 32 }
  /** An exact number of milliseconds, held as nanoseconds. */
  | { readonly kind: 'milliseconds'; readonly nanoseconds: Sql }

export function intrinsicOf({ intrinsics }: Surface, key: string): Intrinsic {
  const intrinsic = Object.hasOwn(intrinsics, key) ? intrinsics[key] : undefined
  if (intrinsic === undefined) throw new Error(`There is no intrinsic ${key}.`)
  return intrinsic
}

export function sourcesOf({ ownSource }: Surface): readonly AttributeSource[] {
  return ['any', ownSource, 'resource', 'intrinsic']
}

export function intrinsicKeysOf({ intrinsics }: Surface): readonly string[] {
  return Object.keys(intrinsics)
}

import type { ParseText } from './parse-values.ts'

/** One setting: its row in docs/settings.md, and the parser of its text. */
export interface Setting<T = unknown> {
  readonly type: string
  readonly default: string | undefined
  readonly meaning: string
  /** Whether `<NAME>_FILE` may name a file with the value. Used for secrets and multi-line texts. */
  readonly inFile?: true
  /** The command-line flag that overrides the setting. */
  readonly flag?: 'dataDir' | 'port' | 'grpcPort' | 'host'
  readonly parse: ParseText<T>
  /** Removes the secrets from a text of the setting, so that it can be printed. */
  readonly redact?: (text: string) => string
}

/** A setting that may be unset. */
export type Optional<T> = Setting<T> & { readonly default: undefined }
/** A setting that always has a value. */
export type Defaulted<T> = Setting<T> & { readonly default: string }

/** Defines a setting without a default. */
export function optional<T>(
  type: string,
  parse: ParseText<T>,
  meaning: string,
  more: Partial<Setting<T>> = {},
): Optional<T> {
  return { ...more, type, parse, meaning, default: undefined }
}

/**
 * Defines a setting with a default.
 * @param value the text of the default, which is parsed as that of the setting
 */
export function defaulted<T>(
  type: string,
  parse: ParseText<T>,
  value: string,
  meaning: string,
  more: Partial<Setting<T>> = {},
): Defaulted<T> {
  return { ...more, type, parse, meaning, default: value }
}

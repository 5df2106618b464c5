/** The values with which fields are compared. */
import { valueCharactersMax } from '../limits.ts'
import type { OrderKind } from '../operators.ts'
import type { AcceptPattern } from '../parse/condition.ts'
import { spanKinds, spanStatuses } from '../schema/span-numbers.ts'
import type { TraceQlReader } from './traceql-reader.ts'

export type TraceQlValue =
  | { readonly kind: 'string'; readonly text: string }
  /** A decimal number. A duration is in nanoseconds. */
  | { readonly kind: 'number'; readonly text: string; readonly isDuration: boolean }
  | { readonly kind: 'boolean'; readonly text: 'true' | 'false' }
  | { readonly kind: 'nil' }
  /** A name of a status or of a kind. */
  | { readonly kind: 'keyword'; readonly text: string }

const keywords = /(?:error|ok|unset|unspecified|internal|server|client|producer|consumer)(?![\w.:])/y

/** The names of statuses and of kinds, which are also those of the intrinsics here. */
export const keywordsOf = {
  status: spanStatuses,
  kind: spanKinds,
} as const

const nanosecondsOf: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const orders: Readonly<Record<string, OrderKind>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' }

/** Returns the test of an order; undefined for another comparison. */
export function orderOfSymbol(symbol: string): OrderKind | undefined {
  return orders[symbol]
}

const integerBounds: Readonly<Record<string, string>> = {
  minInt: '-9223372036854775808',
  maxInt: '9223372036854775807',
}

export class ValueParser {
  private readonly reader: TraceQlReader
  private readonly acceptPattern: AcceptPattern

  constructor(reader: TraceQlReader, acceptPattern: AcceptPattern) {
    this.reader = reader
    this.acceptPattern = acceptPattern
  }

  /** Reports whether a value comes next that can be no field. */
  isNext(): boolean {
    return this.reader.isNext(/["`']|-?\d|(?:nil|minInt|maxInt)(?![\w.:])/y) || this.reader.isNext(keywords)
  }

  /** Reads a value if one comes next. @throws InvalidTraceQl for one that is too long or malformed */
  value(): TraceQlValue | undefined {
    const { reader } = this
    const at = reader.position
    const text = reader.quoted()
    if (text !== undefined) {
      if ([...text].length > valueCharactersMax)
        throw reader.faultAt(at, `A value has at most ${valueCharactersMax} characters.`)
      return { kind: 'string', text }
    }
    const word = reader.take(/(?:true|false|nil|minInt|maxInt)(?![\w.:])/y)
    if (word === 'nil') return { kind: 'nil' }
    if (word === 'true' || word === 'false') return { kind: 'boolean', text: word }
    if (word !== undefined) return { kind: 'number', text: integerBounds[word] ?? word, isDuration: false }
    const keyword = reader.take(keywords)
    if (keyword !== undefined) return { kind: 'keyword', text: keyword }
    return this.number()
  }

  /** Returns the pattern that a whole text has to match. @throws InvalidTraceQl for an invalid one */
  anchored(pattern: string, at: number): string {
    const whole = `\\A(?:${pattern})\\z`
    for (const each of [pattern, whole])
      this.acceptPattern(each, (_, __, message) => {
        throw this.reader.faultAt(at, message)
      })
    return whole
  }

  private number(): TraceQlValue | undefined {
    const { reader } = this
    const at = reader.position
    const written = reader.take(duration)
    if (written !== undefined) return { kind: 'number', text: nanosecondsText(written), isDuration: true }
    const text = reader.take(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/y)
    if (text === undefined) return undefined
    if (reader.isNext(/[\w.]/y) && !/\s/.test(reader.text[reader.position - 1] ?? ''))
      throw reader.faultAt(at, 'Not a valid number or duration. The units are ns, us, ms, s, m and h.')
    return { kind: 'number', text, isDuration: false }
  }
}

const duration = /-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+(?!\w)/y

/** Returns the exact milliseconds of a duration, such as `1.5s`; undefined for any other text. */
export function millisecondsOfDuration(text: string): string | undefined {
  duration.lastIndex = 0
  return duration.exec(text)?.[0] === text ? millisecondsOfNanoseconds(nanosecondsText(text)) : undefined
}

/** Returns the exact decimal text of nanoseconds in milliseconds. */
export function millisecondsOfNanoseconds(nanoseconds: string): string {
  const digits = nanoseconds.replace('-', '').padStart(7, '0')
  return `${nanoseconds.startsWith('-') ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** Returns whole nanoseconds; a fraction of one is dropped. */
function nanosecondsText(written: string): string {
  let total = 0n
  // Each part follows the one before it, so the flag `y` spares a search that would take quadratic time.
  const parts = written.replace('-', '').matchAll(/(\d+)(?:\.(\d+))?(ns|us|µs|ms|s|m|h)/gy)
  for (const [, whole = '0', fraction = '', unit = ''] of parts) {
    const digits = fraction.slice(0, 18)
    const factor = nanosecondsOf[unit] ?? 1n
    total += BigInt(whole) * factor + (BigInt(digits || '0') * factor) / 10n ** BigInt(digits.length)
  }
  return `${written.startsWith('-') ? '-' : ''}${total}`
}

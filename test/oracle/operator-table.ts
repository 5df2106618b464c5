import type { Operator } from '../support/reference-operators.ts'
import type { OtlpValue } from '../support/span-model.ts'

/** The value under the condition's key in one span each; undefined for a span without the key. */
export const storedValues = {
  absent: undefined,
  empty: { stringValue: '' },
  word: { stringValue: 'apple' },
  numeral: { stringValue: '12' },
  decimal: { stringValue: '12.0' },
  spaced: { stringValue: ' 12' },
  hex: { stringValue: '0x10' },
  /** Contains characters that stored attribute lists escape, and a letter that their escapes use. */
  marked: { stringValue: '\u0001\u0004A' },
  int: { intValue: '12' },
  negative: { intValue: '-5' },
  bigInt: { intValue: '9007199254740993' },
  double: { doubleValue: 12 },
  fraction: { doubleValue: 0.1 },
  nan: { doubleValue: Number.NaN },
  infinity: { doubleValue: Number.POSITIVE_INFINITY },
  yes: { boolValue: true },
  no: { boolValue: false },
  bytes: { bytesValue: 'AQI=' },
  array: { arrayValue: { values: [{ intValue: '1' }, { stringValue: 'apple' }] } },
  kvlist: { kvlistValue: { values: [{ key: 'fruit', value: { stringValue: 'apple' } }] } },
  unset: {},
} as const satisfies Readonly<Record<string, OtlpValue | undefined>>

export type StoredName = keyof typeof storedValues

export const storedNames = Object.keys(storedValues) as readonly StoredName[]

const carried = storedNames.filter((name) => name !== 'absent')
const no: readonly StoredName[] = []
const anyTwelve = ['numeral', 'decimal', 'int', 'double'] as const
const withApple = ['word', 'array', 'kvlist'] as const
const with2 = ['numeral', 'decimal', 'spaced', 'int', 'double', 'bigInt'] as const

function allBut(...names: readonly StoredName[]): readonly StoredName[] {
  return storedNames.filter((name) => !names.includes(name))
}

export interface OperatorCase {
  readonly operator: Operator
  /** Undefined for operators without an operand. */
  readonly operand: string | undefined
  readonly trueFor: readonly StoredName[]
}

/**
 * Conditions and exactly the stored values for which they are true, worked out by hand (docs/semantics.md, section 3).
 */
export const operatorCases: readonly OperatorCase[] = (
  [
    ['eq', '', ['empty', 'unset']],
    ['eq', 'apple', ['word']],
    ['eq', 'Apple', no],
    ['eq', 'app', no],
    ['eq', '12', ['numeral', 'int', 'double']],
    ['eq', '12.0', ['decimal', 'int', 'double']],
    ['eq', '1.2e1', ['int', 'double']],
    ['eq', '+0012', ['int', 'double']],
    ['eq', ' 12', ['spaced']],
    ['eq', '12 ', no],
    ['eq', '16', no],
    ['eq', '-5', ['negative']],
    ['eq', '0.1', ['fraction']],
    ['eq', '0.10', ['fraction']],
    ['eq', '1e-1', ['fraction']],
    ['eq', '9007199254740993', ['bigInt']],
    ['eq', '9007199254740992', no],
    ['eq', 'NaN', ['nan']],
    ['eq', 'nan', no],
    ['eq', 'Infinity', ['infinity']],
    ['eq', '1e400', no],
    ['eq', 'true', ['yes']],
    ['eq', '1', no],
    ['eq', 'AQI=', ['bytes']],
    ['eq', '[1,"apple"]', ['array']],
    ['eq', '{"fruit":"apple"}', ['kvlist']],
    ['eq', 'null', no],
    ['neq', '', allBut('empty', 'unset')],
    ['neq', '12', allBut('numeral', 'int', 'double')],
    ['neq', 'apple', allBut('word')],
    ['neq', 'elsewhere', allBut()],
    ['contains', '', carried],
    ['contains', 'pp', withApple],
    ['contains', 'PP', no],
    ['contains', '2', with2],
    ['contains', '"', ['array', 'kvlist']],
    ['contains', '%', no],
    ['contains', '_', no],
    ['not_contains', '', ['absent']],
    ['not_contains', '2', allBut(...with2)],
    ['not_contains', 'pp', allBut(...withApple)],
    ['starts_with', '', carried],
    ['starts_with', 'a', ['word']],
    ['starts_with', '1', anyTwelve],
    ['starts_with', '[1', ['array']],
    ['starts_with', '\u0001', ['marked']],
    ['starts_with', '\u0001\u0004A', ['marked']],
    ['starts_with', '\u0001A', no],
    ['starts_with', '\u0004', no],
    ['starts_with', '\u0004A', no],
    ['ends_with', '', carried],
    ['ends_with', '2', ['numeral', 'spaced', 'int', 'double']],
    ['ends_with', 'e', ['word', 'yes', 'no']],
    ['ends_with', '=', ['bytes']],
    ['ends_with', '\u0004A', ['marked']],
    ['ends_with', 'DA', no],
    ['matches', '', carried],
    ['matches', '^$', ['empty', 'unset']],
    ['matches', '^1[0-9]$', ['numeral', 'int', 'double']],
    ['matches', 'app|NaN', [...withApple, 'nan']],
    ['matches', '(?i)APPLE', withApple],
    ['matches', '\\d{16}', ['bigInt']],
    ['matches', 'appleé?', withApple],
    ['matches', 'apple(?:é{0,2}|x)', withApple],
    ['matches', '[]a]pple', withApple],
    ['matches', '[^]b]pple', withApple],
    ['matches', 'apple[[(]|NaN', ['nan']],
    ['matches', '[[:alpha:]]pple', withApple],
    ['gt', '0', [...anyTwelve, 'bigInt', 'fraction', 'infinity']],
    ['gt', '12', ['bigInt', 'infinity']],
    ['gt', '9007199254740992', ['bigInt', 'infinity']],
    ['gt', '-5', [...anyTwelve, 'bigInt', 'fraction', 'infinity']],
    ['gte', '12', [...anyTwelve, 'bigInt', 'infinity']],
    ['gte', '1.20e1', [...anyTwelve, 'bigInt', 'infinity']],
    ['gte', '0.1', [...anyTwelve, 'bigInt', 'fraction', 'infinity']],
    ['gte', '1e400', ['infinity']],
    ['lt', '0', ['negative']],
    ['lt', '12', ['negative', 'fraction']],
    ['lt', '9007199254740994', [...anyTwelve, 'negative', 'fraction', 'bigInt']],
    ['lte', '12', [...anyTwelve, 'negative', 'fraction']],
    ['lte', '0.1', ['negative', 'fraction']],
    ['lte', '-1e400', no],
    ['exists', undefined, carried],
    ['not_exists', undefined, ['absent']],
  ] as const
).map(([operator, operand, trueFor]) => ({ operator, operand, trueFor }))

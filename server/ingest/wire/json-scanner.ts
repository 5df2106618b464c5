import { lineAndColumnOf } from '../../problem/text-position.ts'
import { MalformedBody } from './body-errors.ts'

/** The tokens of JSON. `paused` means that the scanner has reached its limit. */
export const tokens = {
  paused: 0,
  end: 1,
  openObject: 2,
  closeObject: 3,
  openArray: 4,
  closeArray: 5,
  colon: 6,
  comma: 7,
  string: 8,
  number: 9,
  true: 10,
  false: 11,
  null: 12,
} as const

export type Token = (typeof tokens)[keyof typeof tokens]

const codes = { quote: 0x22, plus: 0x2b, minus: 0x2d, dot: 0x2e, zero: 0x30, u: 0x75, backslash: 0x5c } as const

/** Maximum number of characters of a number. Longer ones come from hostile senders. */
const numberCharactersMax = 1000
/** Integers of up to this many digits are exact as a JavaScript number. */
const exactDigitsMax = 15
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const integerPattern = /^-?\d{16,20}$/

/** Holds 1 for each byte that a string contains unescaped. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === codes.quote || byte === codes.backslash ? 0 : 1,
)
const isSpace = flagsOf(' \t\r\n')
const isEscape = flagsOf('"\\/bfnrtu')
const isNumberPart = flagsOf('0123456789+-.eE')

/** The tokens that are one character. */
const punctuation = new Uint8Array(256)
for (const [character, token] of Object.entries({
  '{': tokens.openObject,
  '}': tokens.closeObject,
  '[': tokens.openArray,
  ']': tokens.closeArray,
  ':': tokens.colon,
  ',': tokens.comma,
}))
  punctuation[character.charCodeAt(0)] = token

const words: Readonly<Record<string, readonly [Buffer, Token]>> = {
  t: [Buffer.from('true'), tokens.true],
  f: [Buffer.from('false'), tokens.false],
  n: [Buffer.from('null'), tokens.null],
}

function flagsOf(characters: string): Uint8Array {
  const flags = new Uint8Array(256)
  for (const character of characters) flags[character.charCodeAt(0)] = 1
  return flags
}

/** Returns the value of a hexadecimal digit, or -1. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/**
 * Splits a JSON text into tokens without creating strings. `next` reads up to `limit`, also within a string, so that
 * the caller can bound the work of each call. The order of tokens is not checked.
 */
export class JsonScanner {
  readonly bytes: Buffer
  position: number
  /** The offset at which `next` pauses. */
  limit = 0
  /** The range of the last string without its quotes, or of the last number. */
  start = 0
  end = 0
  /** Whether the last string contains escapes. */
  escaped = false
  /** Whether `position` is inside a string that began at `start`. */
  private inString = false

  constructor(bytes: Buffer) {
    this.bytes = bytes
    // RFC 8259 (section 8.1) allows a parser to ignore a byte order mark.
    this.position = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  }

  /** @throws {MalformedBody} for bytes that begin no token */
  next(): Token {
    if (this.inString) return this.endString()
    const { bytes } = this
    const until = Math.min(this.limit, bytes.length)
    let at = this.position
    while (at < until && isSpace[bytes[at] as number] === 1) at++
    this.position = at
    if (at >= until) return at >= bytes.length ? tokens.end : tokens.paused
    const code = bytes[at] as number
    if (code === codes.quote) {
      this.position = this.start = at + 1
      this.inString = true
      this.escaped = false
      return this.endString()
    }
    const mark = punctuation[code] as Token
    if (mark !== 0) {
      this.position = at + 1
      return mark
    }
    return isNumberPart[code] === 1 ? this.readNumber(at) : this.readWord(at)
  }

  private endString(): Token {
    const { bytes, limit } = this
    let at = this.position
    for (;;) {
      while (isPlain[bytes[at] as number] === 1 && at < limit) at++
      const code = bytes[at]
      if (code === codes.quote) {
        this.end = at
        this.position = at + 1
        this.inString = false
        return tokens.string
      }
      if (at >= bytes.length) throw this.fault('ends within a string')
      this.position = at
      if (at >= limit) return tokens.paused
      at = this.endOfEscape(at)
      this.escaped = true
    }
  }

  private endOfEscape(at: number): number {
    const { bytes } = this
    const letter = bytes[at + 1] as number
    if (bytes[at] !== codes.backslash) throw this.fault('has a control character in a string')
    if (isEscape[letter] !== 1) throw this.fault('has an invalid escape in a string')
    if (letter !== codes.u) return at + 2
    for (let i = at + 2; i < at + 6; i++)
      if (hexDigit(bytes[i] as number) < 0) throw this.fault('has an invalid escape in a string')
    return at + 6
  }

  private readNumber(start: number): Token {
    const { bytes } = this
    const until = Math.min(start + numberCharactersMax, bytes.length)
    let at = start
    while (at < until && isNumberPart[bytes[at] as number] === 1) at++
    if (!isPlainInteger(bytes, start, at) && !numberPattern.test(bytes.toString('latin1', start, at)))
      throw this.fault('has an invalid number')
    this.start = start
    this.end = this.position = at
    return tokens.number
  }

  private readWord(at: number): Token {
    const { bytes } = this
    const [word, token] = words[String.fromCharCode(bytes[at] as number)] ?? []
    if (word === undefined || token === undefined || word.compare(bytes, at, at + word.length) !== 0)
      throw this.fault('has an unexpected character')
    this.position = at + word.length
    return token
  }

  /** Returns the last string. */
  text(): string {
    const { bytes, start, end } = this
    return this.escaped ? JSON.parse(bytes.toString('utf8', start - 1, end + 1)) : bytes.toString('utf8', start, end)
  }

  /** Returns the last number: a bigint for an integer of up to 20 digits that may not be exact as a number. */
  number(): number | bigint {
    const { bytes, start, end } = this
    if (isPlainInteger(bytes, start, end)) {
      let value = 0
      for (let i = start; i < end; i++) value = value * 10 + (bytes[i] as number) - codes.zero
      return value
    }
    const text = bytes.toString('latin1', start, end)
    if (integerPattern.test(text)) return BigInt(text)
    const number = Number(text)
    return !Number.isInteger(number) || Number.isSafeInteger(number) ? number : (integerOfDecimal(text) ?? number)
  }

  /** Returns the offset at which the last token begins. */
  startOf(token: Token): number {
    if (token === tokens.string) return this.start - 1
    if (token === tokens.number) return this.start
    return this.position - lengths[token]
  }

  /** Returns the error for invalid JSON at an offset. `what` completes "The body is not valid JSON: it". */
  fault(what: string, at = this.position): MalformedBody {
    const { line, column } = lineAndColumnOf(this.bytes, at)
    return new MalformedBody(`The body is not valid JSON: it ${what} (line ${line}, column ${column}, byte ${at}).`)
  }
}

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** No integer type has values of more decimal digits. */
const integerDigitsMax = 20

/** Returns the exact integer that a decimal such as 1e3 or 1.0 stands for, unless it is a fraction or too large. */
export function integerOfDecimal(text: string): bigint | undefined {
  if (text.length > numberCharactersMax) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimalPattern.exec(text) ?? []
  if (whole === '') return undefined
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  let length = digits.length
  while (digits[length - 1] === '0') length--
  const significant = digits.slice(0, length)
  if (significant === '') return 0n
  const zeros = digits.length - significant.length - fraction.length + Number(exponent)
  if (zeros < 0 || significant.length + zeros > integerDigitsMax) return undefined
  return BigInt(sign + significant + '0'.repeat(zeros))
}

/** The lengths of all tokens but strings and numbers, in bytes. */
const lengths = [0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 4, 5, 4] as const satisfies Record<Token, number>

/** Reports whether [start, end) is zero or an integer of up to 15 digits without a sign and a leading zero. */
function isPlainInteger(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > exactDigitsMax || (bytes[start] === codes.zero && end - start > 1)) return false
  for (let i = start; i < end; i++) {
    const code = bytes[i] as number
    if (code < codes.zero || code > codes.zero + 9) return false
  }
  return true
}

import { constants } from 'node:buffer'
import { MalformedBody, OversizedBody } from './body-errors.ts'

/** Maximum nesting depth of objects and arrays. The deepest values that can be stored need far less. */
const depthMax = 1000
/**
 * Maximum number of objects and arrays. Telemetry has at most one per 15 bytes, whereas `[[],[],…` would fill the heap.
 */
const containersMax = 8_000_000
/** The number of digits from which an integer may not be exact as a JavaScript number. */
const inexactDigitsMin = 16

const codes = {
  quote: 0x22,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
  upperE: 0x45,
  lowerE: 0x65,
} as const

/**
 * Parses a JSON body. OTLP has 64-bit integers, which JavaScript numbers would round, so integers of 16 digits or more
 * become strings.
 *
 * @throws {MalformedBody} for invalid JSON, and for JSON whose nesting or number of objects would exhaust the memory of
 * the server
 * @throws {OversizedBody} for a body that is longer than a JavaScript string can be
 */
export function parseJson(bytes: Buffer): unknown {
  const longIntegers = surveyJson(bytes)
  const exact = longIntegers.length === 0 ? bytes : quoteIntegers(bytes, longIntegers)
  if (exact.length > constants.MAX_STRING_LENGTH)
    throw new OversizedBody('The body is too large for JSON. Send it as protobuf, or in smaller requests.')
  const text = exact.toString('utf8')
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (error) {
    throw new MalformedBody(`The body is not valid JSON: ${(error as Error).message}`)
  }
}

/** Checks the limits before the body is parsed. Returns the start and the end of each long integer, in order. */
function surveyJson(bytes: Buffer): readonly number[] {
  const longIntegers: number[] = []
  let depth = 0
  let containers = 0
  let at = 0
  while (at < bytes.length) {
    const code = bytes[at] as number
    if (code === codes.quote) at = endOfString(bytes, at)
    else if (code === codes.openObject || code === codes.openArray) {
      containers++
      depth++
      if (depth > depthMax) throw new MalformedBody(`The body is nested more than ${depthMax} levels deep.`)
      if (containers > containersMax)
        throw new MalformedBody(`The body has more than ${containersMax} objects and arrays.`)
      at++
    } else if (code === codes.closeObject || code === codes.closeArray) {
      depth--
      at++
    } else if (isDigit(code)) {
      const end = endOfNumber(bytes, at)
      if (isLongInteger(bytes, at, end)) longIntegers.push(bytes[at - 1] === codes.minus ? at - 1 : at, end)
      at = end
    } else at++
  }
  return longIntegers
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1
  while (at < bytes.length) {
    const code = bytes[at] as number
    if (code === codes.quote) return at + 1
    at += code === codes.backslash ? 2 : 1
  }
  return at
}

function endOfNumber(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && isDigit(bytes[at] as number)) at++
  const code = bytes[at]
  if (code !== codes.dot && code !== codes.lowerE && code !== codes.upperE) return at
  // A fraction or an exponent is part of the number, so its digits are not a separate integer.
  at++
  while (at < bytes.length && (isDigit(bytes[at] as number) || bytes[at] === codes.minus)) at++
  return at
}

function isLongInteger(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < inexactDigitsMin || bytes[start] === codes.zero) return false
  for (let i = start; i < end; i++) if (!isDigit(bytes[i] as number)) return false
  return true
}

function isDigit(code: number): boolean {
  return code >= codes.zero && code <= codes.nine
}

function quoteIntegers(bytes: Buffer, positions: readonly number[]): Buffer {
  const quoted = Buffer.allocUnsafeSlow(bytes.length + positions.length)
  let from = 0
  let to = 0
  for (const position of positions) {
    to += bytes.copy(quoted, to, from, position)
    quoted[to++] = codes.quote
    from = position
  }
  bytes.copy(quoted, to, from)
  return quoted
}

import { constants } from 'node:buffer'
import { MalformedBody, OversizedBody } from './body-errors.ts'

/** Objects and arrays inside one another; values nested as deep as is stored need far less. */
const containerDepthMax = 1000
/** Objects and arrays of one body. Telemetry has one in 15 bytes at most; `[[],[],…` would fill the heap. */
const containersMax = 8_000_000
/** From here on an integer may not be exact as a JavaScript number. */
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
 * Parses a JSON body. An integer of 16 digits or more comes back as a string of the same digits, because OTLP has 64-bit
 * integers and JavaScript's numbers would round them. Throws MalformedBody, also for what is nested so deep or in so many
 * pieces that parsing it would take the memory of the server; OversizedBody for what no string can hold.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const longIntegers = surveyJson(bytes)
  const exact = longIntegers.length === 0 ? bytes : quoteIntegers(bytes, longIntegers)
  if (exact.length > constants.MAX_STRING_LENGTH) throw new OversizedBody('The body is too large to be JSON.')
  const text = exact.toString('utf8')
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (error) {
    throw new MalformedBody(`The body is not JSON: ${(error as Error).message}`)
  }
}

/** Passes over the bytes once, before anything is made of them. Answers start and end of each long integer, in turn. */
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
      if (depth > containerDepthMax) throw new MalformedBody(`The body is nested more than ${containerDepthMax} deep.`)
      if (containers > containersMax) throw new MalformedBody(`The body has over ${containersMax} objects and arrays.`)
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
  // The digits of a fraction, or of an exponent, are no integer by themselves.
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

function quoteIntegers(bytes: Buffer, places: readonly number[]): Buffer {
  const quoted = Buffer.allocUnsafeSlow(bytes.length + places.length)
  let from = 0
  let to = 0
  for (const place of places) {
    to += bytes.copy(quoted, to, from, place)
    quoted[to++] = codes.quote
    from = place
  }
  bytes.copy(quoted, to, from)
  return quoted
}

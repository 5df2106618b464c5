import { isUtf8 } from 'node:buffer'
import { Pace } from '../../background/pace.ts'
import { invalid } from '../../problem/problem.ts'
import { lineAndColumnOf } from '../../problem/text-position.ts'
import type { BodyLimits } from '../contract/document.ts'
import { findJsonFault, findRepeatedField } from './json-fault.ts'
import { JsonScan, type ListPart, type ScannedList } from './json-scan.ts'

/**
 * Maximum size of a body. 50 rows with the longest keys and values fit, even when JSON escapes every character to six
 * bytes.
 */
export const bodyBytesMax = 2 * 1024 * 1024

/**
 * Maximum number of objects, lists and scalars in a body. 500 matchers have half as many, and parsing this many fields
 * takes tens of milliseconds.
 */
export const bodyValuesMax = 10_000

/** Maximum nesting of lists and objects. Deeper bodies would exhaust the stack of recursive code. */
export const bodyDepthMax = 64

const scannedAtOnce = 1024 * 1024

const partLimits = { bytes: 256 * 1024, values: 2_000 }

/**
 * Parses the JSON text of a body. Values and levels are counted before anything is parsed. The lists of a large body
 * are parsed in parts, between which other requests run; each of their records has the limits of an ordinary body.
 * @throws Problem 400 for text that is not a JSON object or list in UTF-8, has a field twice, or is beyond a limit
 */
export async function parseJsonBody(bytes: Buffer, large: BodyLimits | undefined): Promise<unknown> {
  // Decoding would replace invalid bytes by U+FFFD, which may match stored text.
  if (!isUtf8(bytes)) throw malformed('is not valid UTF-8')
  const text = withoutByteOrderMark(bytes)
  const limits = { values: large?.values ?? bodyValuesMax, depth: bodyDepthMax, part: partLimits }
  const scan = new JsonScan(limits)
  const pace = new Pace()
  for (let from = 0; from < text.length; from += scannedAtOnce) {
    scan.scan(text, from, Math.min(from + scannedAtOnce, text.length))
    await pace.rest()
  }
  const body =
    large === undefined
      ? parseContainer(parse(text.toString(), scan.values, whole(text)))
      : await parseLarge(text, scan, pace)
  await pace.rest()
  return body
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function parseContainer(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return value
  const quoted = typeof value === 'string' ? ', not a string: it may have been encoded twice' : ''
  throw malformed(`must be a JSON object or array${quoted}`)
}

/** Returns the position in the body, in bytes, of a byte of the text that is parsed. */
type PlaceInBody = (byteOffset: number) => { readonly body: Buffer; readonly at: number }

const whole =
  (body: Buffer): PlaceInBody =>
  (at) => ({ body, at })

/**
 * Parses text in which `values` objects, lists and scalars were counted. Fewer are left where an object has a field
 * twice, of which `JSON.parse` takes the last. Readers of JSON differ in that, so such text is refused.
 */
function parse(text: string, values: number, placeInBody: PlaceInBody): unknown {
  const parsed = parseNumbers(text)
  if (parsed !== undefined && countValues(parsed) === values) return parsed
  const verdict = parsed === undefined ? 'is not valid JSON' : 'is ambiguous'
  const fault = parsed === undefined ? findJsonFault(text) : findRepeatedField(text)
  if (fault === undefined) throw malformed(verdict)
  const { body, at } = placeInBody(Buffer.byteLength(text.slice(0, fault.offset)))
  const { line, column } = lineAndColumnOf(body, at)
  throw malformed(`${verdict}: ${fault.message} (line ${line}, column ${column})`)
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((count: number, field) => count + countValues(field), 1)
}

/** Texts in which a number may be nearer to 0 than every other number of JavaScript. */
const mayUnderflow = /\d[eE]-\d{3}|\.0{300}/
/** Strings of valid JSON end with a quote. It is optional here, so that matching takes linear time for any text. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Parses JSON like `JSON.parse`, except that a number such as 1e-400, which JavaScript rounds to 0, becomes infinite,
 * as 1e400 does. Validation refuses infinite numbers at their pointers, whereas a 0 that was not sent would be
 * accepted. Returns undefined for text that is not JSON.
 */
function parseNumbers(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (!mayUnderflow.test(text)) return value
    return JSON.parse(text.replace(stringOrNumber, (token) => (isLostInZero(token) ? '1e999' : token)))
  } catch {
    return
  }
}

function isLostInZero(token: string): boolean {
  return !token.startsWith('"') && Number(token) === 0 && /^[-0.]*[1-9]/.test(token)
}

function malformed(message: string): Error {
  return invalid('', 'malformed_json', message)
}

/**
 * Parses the text with a number in place of the elements of each list, and then the lists, so that text is valid
 * exactly if it is valid as a whole.
 */
async function parseLarge(text: Buffer, { lists, values }: JsonScan, pace: Pace): Promise<unknown> {
  const listed = lists.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.values, 0)
  if (values - listed > bodyValuesMax) throw tooLarge()
  const envelope = parseContainer(parseEnvelope(text, lists, values - listed + lists.length)) as Record<string, unknown>
  const parsed: unknown[][] = []
  for (const list of lists) parsed.push(await parseList(text, list, pace))
  if (Array.isArray(envelope)) return envelope
  const fields = Object.entries(envelope).map(([name, value]) =>
    Array.isArray(value) ? [name, parsed[value[0] as number]] : [name, value],
  )
  return Object.fromEntries(fields)
}

/** Parses `{"a":[0],"b":[1]}` for `{"a":[{…},{…}],"b":[{…}]}`. */
function parseEnvelope(text: Buffer, lists: readonly ScannedList[], values: number): unknown {
  const edges = lists.map(({ parts }) => ({ from: (parts[0] as ListPart).from, to: (parts.at(-1) as ListPart).to }))
  const pieces = [...edges, { from: text.length, to: text.length }].flatMap(({ from }, index) => {
    const start = edges[index - 1]?.to ?? 0
    return [
      { bytes: text.subarray(start, from), start },
      { bytes: Buffer.from(edges[index] === undefined ? '' : `${index}`), start: from },
    ]
  })
  const bytes = Buffer.concat(pieces.map((piece) => piece.bytes))
  if (bytes.length > bodyBytesMax) throw tooLarge()
  return parse(bytes.toString(), values, (byteOffset) => {
    let rest = byteOffset
    for (const piece of pieces) {
      if (rest < piece.bytes.length) return { body: text, at: piece.start + rest }
      rest -= piece.bytes.length
    }
    return { body: text, at: text.length }
  })
}

async function parseList(text: Buffer, { parts }: ScannedList, pace: Pace): Promise<unknown[]> {
  const elements: unknown[] = []
  for (const { from, to, values } of parts) {
    if (to - from > bodyBytesMax + partLimits.bytes || values > bodyValuesMax + partLimits.values) throw tooLarge()
    const parsed = parse(`[${text.toString('utf8', from, to)}]`, values + 1, (offset) => ({
      body: text,
      at: from + offset - 1,
    })) as unknown[]
    // Two commas in a row would leave nothing between two cuts.
    if (parsed.length === 0 && parts.length > 1)
      throw malformed('is not valid JSON: two commas follow each other in a list')
    for (const element of parsed) elements.push(element)
    await pace.rest()
  }
  return elements
}

function tooLarge(): Error {
  const message = `must not contain more than ${bodyValuesMax} values or ${bodyBytesMax} bytes in or beside a record`
  return invalid('', 'too_many', message)
}

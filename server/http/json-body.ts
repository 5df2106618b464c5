import { Pace } from '../background/pace.ts'
import { invalid } from '../problem/problem.ts'
import type { BodyLimits } from './document.ts'
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
 * @throws Problem 400 for text that is not a JSON object or list, or beyond a limit
 */
export async function parseJsonBody(bytes: Buffer, large: BodyLimits | undefined): Promise<unknown> {
  const text = withoutByteOrderMark(bytes)
  const limits = { values: large?.values ?? bodyValuesMax, depth: bodyDepthMax, part: partLimits }
  const scan = new JsonScan(limits)
  const pace = new Pace()
  for (let from = 0; from < text.length; from += scannedAtOnce) {
    scan.scan(text, from, Math.min(from + scannedAtOnce, text.length))
    await pace.rest()
  }
  const body = large === undefined ? parseContainer(text.toString()) : await parseLarge(text, scan, pace)
  await pace.rest()
  return body
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function parseContainer(text: string): unknown {
  const value = parse(text)
  return typeof value === 'object' && value !== null ? value : malformed()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return malformed()
  }
}

function malformed(): never {
  throw invalid('', 'malformed_json', 'the body is not a valid JSON object or array')
}

/**
 * Parses the text with a number in place of the elements of each list, and then the lists, so that text is valid
 * exactly if it is valid as a whole.
 */
async function parseLarge(text: Buffer, { lists, values }: JsonScan, pace: Pace): Promise<unknown> {
  const listed = lists.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.values, 0)
  if (values - listed > bodyValuesMax) throw tooLarge()
  const envelope = parseContainer(envelopeText(text, lists)) as Record<string, unknown>
  const parsed: unknown[][] = []
  for (const list of lists) parsed.push(await parseList(text, list, pace))
  if (Array.isArray(envelope)) return envelope
  const fields = Object.entries(envelope).map(([name, value]) =>
    Array.isArray(value) ? [name, parsed[value[0] as number]] : [name, value],
  )
  return Object.fromEntries(fields)
}

/** Returns `{"a":[0],"b":[1]}` for `{"a":[{…},{…}],"b":[{…}]}`. */
function envelopeText(text: Buffer, lists: readonly ScannedList[]): string {
  const edges = lists.map(({ parts }) => ({ from: (parts[0] as ListPart).from, to: (parts.at(-1) as ListPart).to }))
  const kept = edges.map(({ from }, index) => [text.subarray(edges[index - 1]?.to ?? 0, from), Buffer.from(`${index}`)])
  const bytes = Buffer.concat([...kept.flat(), text.subarray(edges.at(-1)?.to ?? 0)])
  if (bytes.length > bodyBytesMax) throw tooLarge()
  return bytes.toString()
}

async function parseList(text: Buffer, { parts }: ScannedList, pace: Pace): Promise<unknown[]> {
  const elements: unknown[] = []
  for (const { from, to, values } of parts) {
    if (to - from > bodyBytesMax + partLimits.bytes || values > bodyValuesMax + partLimits.values) throw tooLarge()
    const parsed = parse(`[${text.toString('utf8', from, to)}]`) as unknown[]
    // Two commas in a row would leave nothing between two cuts.
    if (parsed.length === 0 && parts.length > 1) malformed()
    for (const element of parsed) elements.push(element)
    await pace.rest()
  }
  return elements
}

function tooLarge(): Error {
  const message = `must not contain more than ${bodyValuesMax} values or ${bodyBytesMax} bytes in or beside a record`
  return invalid('', 'too_many', message)
}

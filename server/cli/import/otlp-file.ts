/**
 * The unit in which files are read: one ResourceSpans, as the bytes of the file. A request is the concatenation of such
 * bytes, so nothing is decoded and encoded, and numbers keep all digits.
 */
export interface Element {
  readonly bytes: Buffer
  readonly spanCount: number
  /** Offset in the decompressed stream from which a reader finds this element again. */
  readonly documentStart: number
  /** Offset just after the element. */
  readonly end: number
}

/**
 * Maximum size of an element. Files are read in bounded memory, and a larger element would not fit into one request.
 */
export const elementBytesMax = 64 * 2 ** 20

/** The file is not OTLP, or it ends within a message. */
export class UnreadableInput extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.name = 'UnreadableInput'
    this.offset = offset
  }
}

const laterSignals: Readonly<Record<string, string>> = { resourceLogs: 'logs', resourceMetrics: 'metrics' }

/**
 * Checks the signal of a request by the name of its only field.
 * @throws UnreadableInput for a signal that cannot be imported
 */
export function checkSignal(field: string, offset: number): void {
  const signal = laterSignals[field]
  if (signal !== undefined) {
    throw new UnreadableInput(
      offset,
      `it contains ${signal} (${field}), but only traces (resourceSpans) can be imported`,
    )
  }
}

/**
 * How a file contains protobuf requests: `single`, exactly one; `delimited`, each after its length as a varint;
 * `prefixed`, each after its length in four bytes, as the file exporter of the OpenTelemetry Collector writes.
 */
export type Framing = 'single' | 'delimited' | 'prefixed'

export type FileEncoding = 'json' | Framing

export const contentTypes: Readonly<Record<FileEncoding, string>> = {
  json: 'application/json',
  single: 'application/x-protobuf',
  delimited: 'application/x-protobuf',
  prefixed: 'application/x-protobuf',
}

const fieldOne = 0x0a
/** Tags with which a ResourceSpans can start: resource, scope_spans, schema_url. */
const resourceFields = new Set([0x0a, 0x12, 0x1a])

/**
 * Matches the start of a JSON document, after an optional byte order mark. Protobuf may also start with a line feed and
 * a brace (`0a 7b`), but no letter of a key follows there.
 */
const jsonStart = /^(\xef\xbb\xbf)?\s*\{\s*("\w|\}|$)/

/**
 * Detects JSON, and the three framings of protobuf, by the first bytes:
 *
 *    0a <length> 0a|12|1a …        a request
 *    <length> 0a …                 a request after its length as a varint (a length of 10 fails the test above)
 *    00 00 00 <length> 0a …        a request after its length in four bytes
 */
export function recognize(head: Buffer): FileEncoding {
  if (jsonStart.test(head.toString('latin1'))) return 'json'
  if (head[0] === fieldOne && isResource(head)) return 'single'
  if (head[0] === 0 && head[4] === fieldOne) return 'prefixed'
  if (head[afterVarint(head, 0)] === fieldOne) return 'delimited'
  throw new UnreadableInput(0, 'it is neither OTLP JSON nor OTLP protobuf')
}

function isResource(head: Buffer): boolean {
  const content = afterVarint(head, 1)
  return content >= head.length || resourceFields.has(head[content] as number)
}

function afterVarint(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && (bytes[at] as number) >= 0x80) at++
  return at + 1
}

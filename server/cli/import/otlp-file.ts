/**
 * The unit in which files are read: one ResourceSpans, as the bytes that stand in the file. Requests are made by
 * putting such bytes one after the other, so nothing is decoded and encoded again, and no number loses digits.
 */
export interface Element {
  readonly bytes: Buffer
  readonly spanCount: number
  /** Offset (in the decompressed stream) at which a reader can start afresh and meet this element again. */
  readonly documentStart: number
  /** Offset just after the element. */
  readonly end: number
}

/** A larger one cannot be sent in one request, and files are read in bounded memory. */
export const elementBytesMax = 64 * 2 ** 20

/** The file is not OTLP, or ends within a message. */
export class UnreadableInput extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.name = 'UnreadableInput'
    this.offset = offset
  }
}

const laterSignals: Readonly<Record<string, string>> = { resourceLogs: 'logs', resourceMetrics: 'metrics' }

/** Names the signal of a request by its one field; throws for a signal that there is no endpoint for. */
export function checkSignal(field: string, offset: number): void {
  const signal = laterSignals[field]
  if (signal !== undefined) {
    throw new UnreadableInput(offset, `it holds ${signal} (${field}), and only traces (resourceSpans) can be imported`)
  }
}

/**
 * How requests stand in a file: `single`, one and nothing else; `delimited`, each after its length as a varint;
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
/** What the content of a ResourceSpans can begin with: resource, scope_spans, schema_url. */
const resourceFields = new Set([0x0a, 0x12, 0x1a])

/**
 * After a byte order mark, perhaps. A line feed and a brace also begin protobuf (`0a 7b`), but no letter of a key
 * follows there.
 */
const jsonStart = /^(\xef\xbb\xbf)?\s*\{\s*("\w|\}|$)/

/**
 * Tells JSON from protobuf, and the three ways in which protobuf requests stand in files, by the first bytes.
 *
 *   0a <length> 0a|12|1a …        a request
 *   <length> 0a …                 a request after its length as a varint (its length being 10 fails the test above)
 *   00 00 00 <length> 0a …        a request after its length in four bytes
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

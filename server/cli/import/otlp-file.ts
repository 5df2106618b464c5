/** A kind of telemetry: its endpoint, the list of a request in JSON, and the number that a response rejects. */
export const importSignals = {
  traces: { path: '/v1/traces', field: 'resourceSpans', rejected: 'rejectedSpans' },
  logs: { path: '/v1/logs', field: 'resourceLogs', rejected: 'rejectedLogRecords' },
  metrics: { path: '/v1/metrics', field: 'resourceMetrics', rejected: 'rejectedDataPoints' },
} as const

export type ImportSignal = keyof typeof importSignals

/** Returns the signal of a request by the name of its only field. */
export function signalOfField(field: string): ImportSignal | undefined {
  return (Object.keys(importSignals) as ImportSignal[]).find((signal) => importSignals[signal].field === field)
}

/**
 * The unit in which files are read: one ResourceSpans, ResourceLogs or ResourceMetrics, as the bytes of the file. A
 * request is the concatenation of such bytes, so nothing is decoded and encoded, and numbers keep all digits.
 */
export interface Element {
  readonly bytes: Buffer
  readonly signal: ImportSignal
  /** The number of spans, log records or data points. */
  readonly recordCount: number
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

/**
 * How a file contains protobuf requests: `single`, exactly one; `delimited`, each after its length as a varint;
 * `prefixed`, each after its length in four bytes, as the file exporter of the OpenTelemetry Collector writes.
 */
export type Framing = 'single' | 'delimited' | 'prefixed'

export type FileEncoding = 'json' | Framing

export const fileContentTypes: Readonly<Record<FileEncoding, string>> = {
  json: 'application/json',
  single: 'application/x-protobuf',
  delimited: 'application/x-protobuf',
  prefixed: 'application/x-protobuf',
}

const fieldOne = 0x0a
/** Tags with which a resource can start: resource, scope_spans (or its like), schema_url. */
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
  const other = otherFormatOf(head)
  if (other === undefined && head[afterVarint(head, 0)] === fieldOne) return 'delimited'
  throw new UnreadableInput(0, other ?? 'it is neither OTLP JSON nor OTLP protobuf')
}

/** What compressed files other than gzip begin with, and the program that decompresses them. */
const compressions = [
  { program: 'zstd', magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
  { program: 'bzip2', magic: Buffer.from('BZh') },
  { program: 'xz', magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]) },
  { program: 'lz4', magic: Buffer.from([0x04, 0x22, 0x4d, 0x18]) },
] as const

const zipkinStart = /^(\xef\xbb\xbf)?\s*\[\s*\{(?!\s*"resource[SLM]).*?"traceId"/s

/** Names a format that users have in place of OTLP, and how to get OTLP from it; undefined for anything else. */
function otherFormatOf(head: Buffer): string | undefined {
  const compressed = compressions.find(({ magic }) => head.subarray(0, magic.length).equals(magic))
  if (compressed !== undefined) {
    const { program } = compressed
    return `it is compressed with ${program}; pass it on with ${program} -dc FILE | tracefold import -`
  }
  const text = head.toString('latin1')
  if (zipkinStart.test(text)) return 'it is JSON of Zipkin, not OTLP; the zipkin receiver of a Collector converts it'
  if (/^(\xef\xbb\xbf)?\s*\[/.test(text)) return 'it is a JSON list; OTLP JSON is one document, or one on each line'
  return undefined
}

/** Reports whether only JSON of Jaeger has this key. It is an object, as OTLP is, so the first bytes do not tell. */
export function isJaegerKey(key: string): boolean {
  return key === 'data' || key === 'traceID'
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

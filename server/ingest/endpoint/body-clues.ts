/** Explains bodies that were sent to the endpoint of another signal, or with the media type of another encoding. */
import type { Outcome } from '../records/outcome.ts'
import type { Signal } from '../records/signal.ts'
import { MalformedBody } from '../wire/body-errors.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import type { Encoding } from './request-form.ts'

interface Content {
  readonly field: string
  readonly noun: string
  readonly service: string
}

/** The only field of a request of each signal, in JSON, what it contains, and the service that takes it over gRPC. */
const contents: Readonly<Record<string, Content>> = {
  traces: { field: 'resourceSpans', noun: 'spans', service: 'TraceService' },
  metrics: { field: 'resourceMetrics', noun: 'metrics', service: 'MetricsService' },
  logs: { field: 'resourceLogs', noun: 'log records', service: 'LogsService' },
}

const headBytes = 256

export interface BodyClues {
  /** Why nothing of the body can be stored, if that is certain before it is decoded. */
  readonly misdirected: MalformedBody | undefined
  /** Adds what the body seems to be to an error about it. */
  explain(error: unknown): unknown
  /**
   * Adds a note to the outcome of a body of which nothing was accepted.
   * @throws {MalformedBody} for a JSON body that has only telemetry of another signal
   */
  complete(outcome: Outcome): Outcome
}

/** Looks at the first bytes and at the first record of a body, which may change afterwards. */
export function cluesOf(body: Buffer, encoding: Encoding, { name }: Pick<Signal, 'name'>): BodyClues {
  const head = Buffer.from(body.subarray(0, headBytes))
  const isJson = encoding === 'json'
  const actual = isJson ? jsonSignal(head) : protobufSignal(body, name)
  const note = actual === undefined || actual === name ? undefined : elsewhere(actual)
  // Other members of a JSON object may be of this signal. A span that is invalid in every respect can look like a
  // metric, and valid ones may follow it.
  const isCertain = note !== undefined && !isJson && !(actual === 'metrics' && name === 'traces')
  return {
    misdirected: isCertain ? new MalformedBody(note) : undefined,
    explain(error) {
      const form = error instanceof MalformedBody ? actualForm(head, encoding) : undefined
      return form === undefined ? error : new MalformedBody(`${(error as MalformedBody).message} ${form}`)
    },
    complete(outcome) {
      if (outcome.accepted > 0) return outcome
      if (outcome.rejected > 0) return note === undefined ? outcome : withNote(outcome, note)
      if (isJson && note !== undefined) throw new MalformedBody(note)
      return isJson ? withNote(outcome, otherField(head, name)) : outcome
    },
  }
}

function withNote(outcome: Outcome, note: string): Outcome {
  return { ...outcome, message: `${outcome.message} ${note}`.trim() }
}

function elsewhere(signal: string): string {
  const { noun, service } = contents[signal] ?? {}
  return `The body contains ${noun}, which are received at /v1/${signal} (gRPC: ${service}).`
}

/** Returns the name of the first member of a JSON object. */
function firstMember(head: Buffer): string | undefined {
  return /^\s*\{\s*"([^"\\]{1,100})"/.exec(head.toString())?.[1]
}

function jsonSignal(head: Buffer): string | undefined {
  const name = firstMember(head)
  return Object.keys(contents).find((signal) => contents[signal]?.field === name)
}

/**
 * Names the first member of a JSON object that has another name than the field of the signal. OTLP has receivers ignore
 * unknown fields, so a body that contains nothing else is accepted.
 */
function otherField(head: Buffer, name: string): string {
  const member = firstMember(head)
  const field = contents[name]?.field
  return member === undefined || member === field ? '' : `${JSON.stringify(member)} is ignored; OTLP has ${field}.`
}

/** Describes the body in words that hold for OTLP/HTTP and for OTLP/gRPC, which takes no JSON. */
function actualForm(head: Buffer, encoding: Encoding): string | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b)
    return 'The body is compressed with gzip: send Content-Encoding: gzip (gRPC: grpc-encoding: gzip).'
  const text = head.toString('latin1')
  // A byte order mark, or the two bytes of one bracket.
  if (encoding === 'json' && /^(\xff\xfe|\xfe\xff|\0[{[]|[{[]\0)/.test(text)) return 'It looks like UTF-16: send UTF-8.'
  const looksLikeJson = /^\s*[{[]/.test(text)
  if (encoding === 'protobuf' && looksLikeJson)
    return 'It looks like JSON, which OTLP/HTTP takes with Content-Type: application/json.'
  const looksLikeProtobuf = head[0] === 0x0a && head.includes(0x12) && !looksLikeJson
  if (encoding === 'json' && looksLikeProtobuf)
    return 'It looks like protobuf: send Content-Type: application/x-protobuf.'
  return undefined
}

const wire = { fixed64: 1, bytes: 2 } as const
const recordFieldsMax = 64
const traceIdBytes = 16

/**
 * Returns the signal whose records the first record of a protobuf request looks like, by fields that every sender sets:
 * the times of spans (7 and 8) and of log records (1 and 11), the name (1) and the data (5 to 11) of metrics. Returns
 * undefined if there is no record, or nothing is typical of it.
 */
function protobufSignal(body: Buffer, own: string): string | undefined {
  const reader = new ProtobufReader(body)
  try {
    const end = enter(reader, enter(reader, enter(reader, body.length, 1), 2), 2)
    return end < 0 ? undefined : recordSignalOf(reader, end, own)
  } catch {
    return undefined
  }
}

/** Moves to the content of the first message in a field. Returns where it ends, or -1 without one. */
function enter(reader: ProtobufReader, end: number, field: number): number {
  for (let fields = 0; reader.position < end && fields < recordFieldsMax; fields++) {
    const tag = reader.tag(end)
    if (tag === ((field << 3) | wire.bytes)) return reader.endOfBytes(end)
    reader.skip(tag, end)
  }
  return -1
}

/** Returns the signal that the record looks like: `own` if that is among those that it could be. */
function recordSignalOf(reader: ProtobufReader, end: number, own: string): string | undefined {
  const marks = new Set<string>()
  let isNamed = false
  for (let fields = 0; reader.position < end && fields < recordFieldsMax; fields++) {
    const tag = reader.tag(end)
    const start = reader.position
    reader.skip(tag, end)
    const [field, type, length] = [tag >>> 3, tag & 7, reader.position - start]
    if (type === wire.fixed64 && (field === 7 || field === 8)) marks.add('traces')
    if (type === wire.fixed64 && (field === 1 || field === 11)) marks.add('logs')
    // A trace id is preceded by its length, in one byte.
    if (type === wire.bytes && field === 1) isNamed = length !== traceIdBytes + 1
    if (type === wire.bytes && [5, 7, 9, 10, 11].includes(field) && isNamed) marks.add('metrics')
  }
  return [own, 'traces', 'logs', 'metrics'].find((signal) => marks.has(signal))
}

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cluesOf } from '../../server/ingest/endpoint/body-clues.ts'
import { MalformedBody } from '../../server/ingest/wire/body-errors.ts'
import { request, span } from '../support/otlp-json.ts'
import { encodeExport, fromOtlpJson } from '../support/otlp-protobuf.ts'

const signals = ['traces', 'metrics', 'logs'] as const
type Signal = (typeof signals)[number]

const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
const timeUnixNano = '1790000000000000000'
const dataPoints = [{ timeUnixNano, asInt: '7' }]

const bodies: Record<Signal, object> = {
  traces: request(span()),
  metrics: {
    resourceMetrics: [{ resource, scopeMetrics: [{ metrics: [{ name: 'orders', gauge: { dataPoints } }] }] }],
  },
  logs: { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [{ timeUnixNano, body: { stringValue: 'a' } }] }] }] },
}
const nouns = { traces: 'spans', metrics: 'metrics', logs: 'log records' }
const services = { traces: 'TraceService', metrics: 'MetricsService', logs: 'LogsService' }
const elsewhere = (signal: Signal) =>
  `The body contains ${nouns[signal]}, which are received at /v1/${signal} (gRPC: ${services[signal]}).`

const nothing = { accepted: 0, rejected: 0, message: '' }
const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const protobuf = (signal: Signal) => encodeExport(signal, fromOtlpJson(bodies[signal]))

describe('a body that is sent to the endpoint of another signal', () => {
  const pairs = signals.flatMap((sent) => signals.filter((at) => at !== sent).map((at) => [sent, at] as const))

  it.each(pairs)('in JSON (%s to %s) is refused if it has nothing of the signal', (sent, at) => {
    const clues = cluesOf(json(bodies[sent]), 'json', { name: at })
    expect(() => clues.complete(nothing)).toThrow(new MalformedBody(elsewhere(sent)))
    expect(clues.misdirected).toBeUndefined()
    expect(clues.complete({ ...nothing, accepted: 1 })).toEqual({ ...nothing, accepted: 1 })
  })

  it.each(pairs)('in protobuf (%s to %s) is refused, or rejected with the endpoint', (sent, at) => {
    const clues = cluesOf(protobuf(sent), 'protobuf', { name: at })
    const rejected = { accepted: 0, rejected: 2, message: '2 rejected.' }
    // What looks like a metric may be an invalid span.
    if (sent === 'metrics' && at === 'traces') expect(clues.misdirected).toBeUndefined()
    else expect(clues.misdirected).toEqual(new MalformedBody(elsewhere(sent)))
    expect(clues.complete(rejected)).toEqual({ ...rejected, message: `2 rejected. ${elsewhere(sent)}` })
  })
})

it.each(signals)('a body of %s at their own endpoint has no clues', (signal) => {
  for (const encoding of ['json', 'protobuf'] as const) {
    const body = encoding === 'json' ? json(bodies[signal]) : protobuf(signal)
    const clues = cluesOf(body, encoding, { name: signal })
    expect(clues.misdirected).toBeUndefined()
    const rejected = { accepted: 0, rejected: 1, message: 'One.' }
    for (const outcome of [nothing, rejected]) expect(clues.complete(outcome)).toEqual(outcome)
    const error = new MalformedBody('Broken.')
    expect(clues.explain(error)).toBe(error)
  }
})

it('a span without times, or with a field that log records have, counts as a span', () => {
  const withoutTimes = request(span({ startTimeUnixNano: undefined, endTimeUnixNano: undefined }))
  const bare = encodeExport('traces', fromOtlpJson(withoutTimes))
  const rejected = { ...nothing, rejected: 1 }
  expect(cluesOf(bare, 'protobuf', { name: 'traces' }).complete(rejected)).toEqual(rejected)
  const message = (field: number, content: number[]) => [(field << 3) | 2, content.length, ...content]
  const time = (field: number) => [(field << 3) | 1, 1, 2, 3, 4, 5, 6, 7, 8]
  const record = [...time(11), ...message(1, Array(16).fill(1)), ...time(7)]
  const mixed = Buffer.from(message(1, message(2, message(2, record))))
  expect(cluesOf(mixed, 'protobuf', { name: 'traces' }).misdirected).toBeUndefined()
  expect(cluesOf(mixed, 'protobuf', { name: 'metrics' }).misdirected).toEqual(new MalformedBody(elsewhere('traces')))
})

describe('a body of another form than announced is explained', () => {
  const explained = (body: Buffer, encoding: 'json' | 'protobuf') =>
    (cluesOf(body, encoding, { name: 'traces' }).explain(new MalformedBody('Broken.')) as Error).message

  it('if it is compressed', () => {
    const hint = 'Broken. The body is compressed with gzip: send Content-Encoding: gzip (gRPC: grpc-encoding: gzip).'
    for (const encoding of ['json', 'protobuf'] as const) expect(explained(gzipSync('{}'), encoding)).toBe(hint)
  })

  it('if it is JSON in place of protobuf, or protobuf in place of JSON', () => {
    const [asJson, asProtobuf] = ['application/json', 'application/x-protobuf']
    expect(explained(json(bodies.traces), 'protobuf')).toBe(
      `Broken. It looks like JSON, which OTLP/HTTP takes with Content-Type: ${asJson}.`,
    )
    expect(explained(protobuf('traces'), 'json')).toBe(
      `Broken. It looks like protobuf: send Content-Type: ${asProtobuf}.`,
    )
    expect(explained(Buffer.from('\n{"resourceSpans":[}'), 'json')).toBe('Broken.')
  })

  it.each<[string, (text: string) => Buffer]>([
    ['little-endian', (text) => Buffer.from(text, 'utf16le')],
    ['big-endian', (text) => Buffer.from(text, 'utf16le').swap16()],
  ])('if it is JSON in UTF-16 (%s), with and without a byte order mark', (_, encode) => {
    for (const mark of ['', '\ufeff']) {
      const body = encode(`${mark}{"resourceSpans":[]}`)
      expect(explained(body, 'json')).toBe('Broken. It looks like UTF-16: send UTF-8.')
    }
  })

  it('other errors stay as they are', () => {
    const error = new Error('Full.')
    expect(cluesOf(gzipSync('{}'), 'json', { name: 'traces' }).explain(error)).toBe(error)
  })
})

it.each([
  ['{"resource_spans":[]}', '"resource_spans" is ignored; OTLP has resourceSpans.'],
  ['[1]', ''],
  ['{}', ''],
  ['', ''],
  ['{"resourceSpans":[]}', ''],
])('%s of which nothing is stored gets a note about its first field', (body, message) => {
  const clues = cluesOf(Buffer.from(body), 'json', { name: 'traces' })
  expect(clues.complete(nothing)).toEqual({ ...nothing, message })
})

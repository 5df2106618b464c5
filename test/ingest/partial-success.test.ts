import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attributes, request, requestOf, span } from '../support/otlp-json.ts'
import { encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { type OtlpServer, send, startOtlpServer, storedSpans } from '../support/otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

let orgs = 0

/** Sends a faulty span between two valid ones, which must be stored, and returns the partial success. */
async function sendWithFault(faulty: Readonly<Record<string, unknown>>): Promise<unknown> {
  const org = `org${++orgs}`
  const body = request(span({ name: 'before' }), span({ ...faulty, name: 'faulty' }), span({ name: 'after' }))
  const { status, message } = await send(server, body, { org })
  expect(status).toBe(200)
  const names = (await storedSpans(server.clickhouse, org)).map(({ name }) => name)
  expect(names.sort()).toEqual(['after', 'before'])
  return message.partialSuccess
}

function rejection(reason: string) {
  const at = 'resource_spans[0].scope_spans[0].spans[1]'
  return { rejectedSpans: '1', errorMessage: `1 of 3 spans rejected. 1 span: ${reason} (first at ${at}).` }
}

const traceIdFault = 'the trace id is not 16 bytes (in JSON 32 hexadecimal digits) or is all zero'
const spanIdFault = 'the span id is not 8 bytes (in JSON 16 hexadecimal digits) or is all zero'
const parentFault = 'the parent span id is neither empty nor 8 bytes (in JSON 16 hexadecimal digits)'
const startFault = 'the start time is unset or after the year 2262'
const tooLarge =
  'the span with its resource and scope is larger than 8 MiB or has more than 50,000 values, events and links'
const endFault = 'the end time is unset or more than 1 second before the start time'

describe('only the invalid span is rejected', () => {
  it.each([
    ['with a trace id of zeros', { traceId: '0'.repeat(32) }, traceIdFault],
    ['without a trace id', { traceId: undefined }, traceIdFault],
    ['with an empty trace id', { traceId: '' }, traceIdFault],
    ['with a short trace id', { traceId: '5b8efff798038103' }, traceIdFault],
    ['with a long trace id', { traceId: 'a'.repeat(34) }, traceIdFault],
    ['with a trace id of an odd number of digits', { traceId: 'a'.repeat(31) }, traceIdFault],
    ['with a trace id in base64', { traceId: 'W47/95gDgQPSabYzgT/GDA==' }, traceIdFault],
    ['with a span id of zeros', { spanId: '0'.repeat(16) }, spanIdFault],
    ['without a span id', { spanId: undefined }, spanIdFault],
    ['with a long span id', { spanId: 'a'.repeat(32) }, spanIdFault],
    ['with a short parent span id', { parentSpanId: 'abcd' }, parentFault],
    ['with a parent span id that is no hexadecimal', { parentSpanId: 'parent' }, parentFault],
    ['without a start time', { startTimeUnixNano: undefined }, startFault],
    ['with a start time of zero', { startTimeUnixNano: '0' }, startFault],
    [
      'with a start time that no DateTime64 holds',
      { startTimeUnixNano: '9223372036854775808', endTimeUnixNano: '9223372036854775809' },
      startFault,
    ],
    ['without an end time', { endTimeUnixNano: undefined }, endFault],
    ['that ends more than a second before it starts', { endTimeUnixNano: '1789999998999999999' }, endFault],
  ])('%s', async (_, faulty, reason) => {
    expect(await sendWithFault(faulty)).toEqual(rejection(reason))
  })

  it('that is larger than 8 MiB', async () => {
    const large = attributes({ a: { stringValue: 'x'.repeat(8 * 2 ** 20) } })
    expect(await sendWithFault({ attributes: large })).toEqual(rejection(tooLarge))
  })

  it('that becomes larger than 8 MiB by escapes', async () => {
    const large = [{ name: '\u0001'.repeat(2 * 2 ** 20), timeUnixNano: '1' }]
    expect(await sendWithFault({ events: large })).toEqual(rejection(tooLarge))
  })

  it('that has more than 50,000 events, whose links are not called invalid', async () => {
    const events = Array.from({ length: 50_001 }, () => ({}))
    expect(await sendWithFault({ events, links: [{ traceId: '1'.repeat(32), spanId: '1'.repeat(16) }] })).toEqual(
      rejection(tooLarge),
    )
  })
})

it('a scope that is larger than 8 MiB causes its spans to be rejected', async () => {
  const scope = { name: 'x'.repeat(8 * 2 ** 20) }
  const { message } = await send(server, { resourceSpans: [{ scopeSpans: [{ scope, spans: [span()] }] }] })
  expect(message.partialSuccess).toMatchObject({ rejectedSpans: '1', errorMessage: expect.stringContaining(tooLarge) })
})

describe('a resource that is larger than 8 MiB', () => {
  it('causes only its own spans to be rejected', async () => {
    const large = requestOf({ large: { stringValue: 'x'.repeat(8 * 2 ** 20) } }, [span(), span()])
    const small = request(span({ name: 'small' }))
    const body = { resourceSpans: [...large.resourceSpans, ...small.resourceSpans] }
    const { message } = await send(server, body, { org: 'resource' })
    expect(message.partialSuccess).toMatchObject({ rejectedSpans: '2' })
    expect((await storedSpans(server.clickhouse, 'resource')).map(({ name }) => name)).toEqual(['small'])
  })
})

describe('a partial success', () => {
  it('counts each reason, the most frequent one first', async () => {
    const spans = [span({ spanId: '' }), span({ traceId: '' }), span({ traceId: '' }), span()]
    const { message } = await send(server, request(...spans))
    expect(message.partialSuccess).toEqual({
      rejectedSpans: '3',
      errorMessage:
        `3 of 4 spans rejected. 2 spans: ${traceIdFault} (first at resource_spans[0].scope_spans[0].spans[1]); ` +
        `1 span: ${spanIdFault} (first at resource_spans[0].scope_spans[0].spans[0]).`,
    })
  })

  it('names the resource and scope of the first rejected span', async () => {
    const scopeSpans = [{ spans: [span()] }, { spans: [span(), span({ traceId: '' })] }]
    const { message } = await send(server, { resourceSpans: [{ scopeSpans: [] }, { scopeSpans }] })
    expect(JSON.stringify(message)).toContain('first at resource_spans[1].scope_spans[1].spans[1]')
  })

  it('is sent even when every span is rejected', async () => {
    const { status, message } = await send(server, request(span({ traceId: '' })))
    expect(status).toBe(200)
    expect(message.partialSuccess).toMatchObject({ rejectedSpans: '1' })
  })

  it('is protobuf for a protobuf request', async () => {
    const body = encodeTraces(fromOtlpJson(request(span({ traceId: '' }))))
    const { headers, message } = await send(server, body)
    expect(headers.get('Content-Type')).toBe('application/x-protobuf')
    expect(message.partialSuccess).toMatchObject({ rejectedSpans: '1' })
  })

  it('rejects no span and reports an attribute that is dropped because of its key', async () => {
    const long = 'é'.repeat(257)
    const values = { [long]: { intValue: '1' }, ['é'.repeat(256)]: { intValue: '2' } }
    const { message } = await send(server, request(span({ attributes: attributes(values) })), { org: 'keys' })
    expect(message.partialSuccess).toEqual({
      rejectedSpans: '0',
      errorMessage: '1 attribute dropped: the key is longer than 256 characters.',
    })
    const [stored] = await storedSpans(server.clickhouse, 'keys')
    expect(stored).toMatchObject({ attributes: { ['é'.repeat(256)]: 'i2' }, dropped_attributes_count: 1 })
  })

  it('reports a value that is nested too deeply', async () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? { intValue: '1' } : { arrayValue: { values: [nested(depth - 1)] } }
    const values = attributes({ deep: nested(65), shallow: nested(64) })
    const { message } = await send(server, request(span({ attributes: values })), { org: 'deep' })
    expect(message.partialSuccess).toEqual({
      rejectedSpans: '0',
      errorMessage: '1 attribute dropped: the value is nested more than 64 levels deep.',
    })
    const [stored] = await storedSpans(server.clickhouse, 'deep')
    expect(stored).toMatchObject({
      attributes: { shallow: `a${'['.repeat(64)}1${']'.repeat(64)}` },
      dropped_attributes_count: 1,
    })
  })

  it('reports attributes beyond the limit of a span', async () => {
    const values = Array.from({ length: 16_390 }, (_, i) => ({ key: `k${i}`, value: {} }))
    const { message } = await send(server, request(span({ attributes: values })), { org: 'many' })
    expect(message.partialSuccess).toEqual({
      rejectedSpans: '0',
      errorMessage: '6 attributes dropped: a resource, scope, record, event or link has more than 16384.',
    })
    const [stored] = await storedSpans(server.clickhouse, 'many')
    expect(Object.keys(stored?.attributes ?? {}).length).toBe(16_384)
    expect(stored).toMatchObject({ dropped_attributes_count: 6 })
  })

  it('reports a link that is dropped because of its ids', async () => {
    const links = [{ traceId: 'abcd', spanId: '1122334455667788' }]
    const { message } = await send(server, request(span({ links })), { org: 'links' })
    expect(message.partialSuccess).toEqual({
      rejectedSpans: '0',
      errorMessage: '1 link dropped: a trace id must be empty or have 16 bytes, a span id be empty or have 8 bytes.',
    })
    const [stored] = await storedSpans(server.clickhouse, 'links')
    expect(stored).toMatchObject({ links: [], dropped_links_count: 1 })
  })

  it('treats unpaired surrogates of JSON as invalid UTF-8', async () => {
    const values = attributes({
      'key\ud800': { intValue: '1' },
      text: { stringValue: 's\udc00' },
      paired: { stringValue: '😀' },
    })
    const { message } = await send(server, request(span({ name: '\ud83d!', attributes: values })), {
      org: 'surrogates',
    })
    expect(message.partialSuccess).toEqual({
      rejectedSpans: '0',
      errorMessage:
        '1 attribute dropped: the key is not valid UTF-8. ' +
        '2 strings changed: bytes that are not valid UTF-8, and unpaired surrogates, are replaced by U+FFFD.',
    })
    const [stored] = await storedSpans(server.clickhouse, 'surrogates')
    expect(stored).toMatchObject({
      name: '\ufffd!',
      attributes: { text: 'ss\ufffd', paired: 's😀' },
      dropped_attributes_count: 1,
    })
  })

  it('counts an invalid text once, however often it is stored', async () => {
    const texts = { arrayValue: { values: [{ stringValue: 'a\udc00' }] } }
    const service = { 'service.name': { stringValue: 's\ud800' } }
    const errorMessage = (count: number) =>
      `${count} strings changed: bytes that are not valid UTF-8, and unpaired surrogates, are replaced by U+FFFD.`
    const traces = requestOf(service, [span({ attributes: attributes({ texts }) })])
    const { message } = await send(server, traces, { org: 'once' })
    expect(message.partialSuccess).toEqual({ rejectedSpans: '0', errorMessage: errorMessage(2) })
    const point = { timeUnixNano: '1790000000123456789', asInt: 1, attributes: attributes({ texts }) }
    const scopeMetrics = [{ metrics: [{ name: 'm\ud800', gauge: { dataPoints: [point] } }] }]
    const metrics = { resourceMetrics: [{ resource: { attributes: attributes(service) }, scopeMetrics }] }
    const sent = await send(server, metrics, { path: '/v1/metrics', org: 'once' })
    expect(sent.message.partialSuccess).toEqual({ rejectedDataPoints: '0', errorMessage: errorMessage(3) })
  })

  it('reports invalid UTF-8, which is replaced in texts and drops the attribute in keys', async () => {
    const marked = request(
      span({
        name: 'name~',
        attributes: attributes({
          'key~': { intValue: '1' },
          text: { stringValue: '~long text that is copied at once' },
        }),
      }),
    )
    const body = encodeTraces(fromOtlpJson(marked)).map((byte) => (byte === 0x7e ? 0xff : byte))
    const { message } = await send(server, Buffer.from(body), { org: 'utf8' })
    expect(message.partialSuccess).toEqual({
      errorMessage:
        '1 attribute dropped: the key is not valid UTF-8. ' +
        '2 strings changed: bytes that are not valid UTF-8, and unpaired surrogates, are replaced by U+FFFD.',
    })
    const [stored] = await storedSpans(server.clickhouse, 'utf8')
    expect(stored).toMatchObject({
      name: 'name\ufffd',
      attributes: { text: 's\ufffdlong text that is copied at once' },
      dropped_attributes_count: 1,
    })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attributes, request, span } from '../support/otlp-json.ts'
import { encode, encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { type OtlpServer, type StoredSpan, send, startOtlpServer, storedSpans } from '../support/otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

let orgs = 0

async function store(body: Buffer): Promise<StoredSpan> {
  const org = `org${++orgs}`
  const { status, message } = await send(server, body, { org })
  expect({ status, message }).toEqual({ status: 200, message: {} })
  const [stored] = await storedSpans(server.clickhouse, org)
  if (stored === undefined) throw new Error('Nothing is stored.')
  return stored
}

/** Encodes a length-delimited field: a message, a string or bytes. */
function field(id: number, ...values: readonly (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(values.map((value) => Buffer.from(value)))
  return Buffer.concat([varint((id << 3) | 2), varint(content.length), content])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

const spanBytes = encode('trace.v1.Span', fromOtlpJson(span({ name: 'whole' })))
const resource = encode('resource.v1.Resource', { attributes: attributes({ 'service.name': { stringValue: 'shop' } }) })

/** Fields of each wire type with numbers that OTLP does not use, and a group that contains all of them. */
const unknownFields = Buffer.concat([
  varint((900 << 3) | 0),
  Buffer.from('ffffffffffffffffff01', 'hex'),
  varint((901 << 3) | 1),
  Buffer.alloc(8, 1),
  field(902, 'text'),
  varint((903 << 3) | 5),
  Buffer.alloc(4, 1),
])
const unknownGroup = Buffer.concat([varint((904 << 3) | 3), unknownFields, varint((904 << 3) | 4)])

describe('a protobuf body', () => {
  it('may have unknown fields in every message, of every wire type', async () => {
    const unknown = Buffer.concat([unknownFields, unknownGroup])
    const value = Buffer.concat([unknown, encode('common.v1.AnyValue', { intValue: '-7' }), unknown])
    const keyValue = field(9, unknown, field(1, 'a'), unknown, field(2, value), unknown)
    const event = field(11, unknown, field(2, 'event'), unknown)
    const link = field(13, unknown, field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 2)), unknown)
    const status = field(15, unknown, field(2, 'bad'), Buffer.of(0x18, 2), unknown)
    const spans = field(2, unknown, spanBytes, keyValue, event, link, status, unknown)
    const scope = field(1, unknown, field(1, 'http'), unknown)
    const body = field(1, unknown, field(1, unknown, resource, unknown), field(2, unknown, scope, spans, unknown))
    expect(await store(Buffer.concat([unknown, body, unknown]))).toMatchObject({
      service: 'shop',
      scope_name: 'http',
      name: 'whole',
      status: 2,
      status_message: 'bad',
      attributes: { a: 'i-7' },
      events: [{ t: '0', n: 'event' }],
      links: [{ t: '01'.repeat(16), s: '02'.repeat(8) }],
    })
  })

  it('may have its resource and scope after the spans, in several pieces', async () => {
    const more = encode('resource.v1.Resource', { attributes: attributes({ host: { stringValue: 'a' } }) })
    const scoped = field(2, field(2, spanBytes), field(1, field(2, '1.0')), field(1, field(1, 'http')))
    expect(await store(field(1, scoped, field(1, resource), field(1, more)))).toMatchObject({
      service: 'shop',
      scope_name: 'http',
      scope_version: '1.0',
      resource_attributes: { 'service.name': 'sshop', host: 'sa' },
    })
  })

  it('may repeat a singular field, whose last value is used', async () => {
    const twice = Buffer.concat([field(5, 'first'), spanBytes, field(5, 'last')])
    const value = Buffer.concat([encode('common.v1.AnyValue', { stringValue: 'a' }), Buffer.of(0x18, 5)])
    const stored = await store(field(1, field(2, field(2, twice, field(9, field(1, 'k'), field(2, value))))))
    expect(stored).toMatchObject({ name: 'last', attributes: { k: 'i5' } })
  })

  it('may have varints longer than necessary', async () => {
    const name = Buffer.concat([varint((5 << 3) | 2), Buffer.from('84808000', 'hex'), Buffer.from('long')])
    expect(await store(field(1, field(2, field(2, spanBytes, name))))).toMatchObject({ name: 'long' })
  })

  it('may have a known field with another wire type, which is skipped', async () => {
    const kind = Buffer.concat([varint((6 << 3) | 5), Buffer.alloc(4, 1)])
    expect(await store(field(1, field(2, field(2, spanBytes, kind))))).toMatchObject({ kind: 1 })
  })

  it('may have a key without a value, and a value without a key', async () => {
    const pairs = [field(9, field(1, 'key')), field(9, field(2, encode('common.v1.AnyValue', { intValue: '1' })))]
    expect((await store(field(1, field(2, field(2, spanBytes, ...pairs))))).attributes).toEqual({ key: 'n', '': 'i1' })
  })

  it.each([
    ['a varint of more than ten bytes', Buffer.from(`08${'ff'.repeat(10)}01`, 'hex')],
    ['a field with the number zero', Buffer.from('0200', 'hex')],
    ['a wire type that does not exist', Buffer.from('0e00', 'hex')],
    ['a group that ends with another number', Buffer.from('1b24', 'hex')],
    ['a group that does not end', Buffer.from('1b', 'hex')],
    ['an end of a group that did not begin', Buffer.from('1c', 'hex')],
    ['a thousand groups inside one another', Buffer.alloc(1000, 0x1b)],
    ['a length beyond the body', Buffer.from('0a7f00', 'hex')],
    ['a length of 64 bits', Buffer.from('0affffffffffffffff7f00', 'hex')],
    ['a message that reaches beyond the one it is in', Buffer.from('0a02120a', 'hex')],
    ['a fixed number cut short', field(1, field(2, field(2, Buffer.from('39010203', 'hex'))))],
    ['a value cut short', field(1, field(2, field(2, spanBytes, field(9, field(2, Buffer.from('0a05', 'hex'))))))],
    [
      'a value cut short inside a list',
      field(1, field(2, field(2, spanBytes, field(9, field(2, field(5, Buffer.from('0a050a', 'hex'))))))),
    ],
  ])('with %s gets 400, and nothing of it is stored', async (_, bytes) => {
    const org = `org${++orgs}`
    const good = encodeTraces(fromOtlpJson(request(span())))
    expect((await send(server, Buffer.concat([good, bytes]), { org })).status).toBe(400)
    expect(await storedSpans(server.clickhouse, org)).toEqual([])
  })
})

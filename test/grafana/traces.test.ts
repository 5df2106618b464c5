import protobuf from 'protobufjs'
import { expect, it } from 'vitest'
import { otlpRoot } from '../../scripts/otlp-messages.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import { sharedDataSources } from './grafana-app.ts'

const open = sharedDataSources()

/** The messages of Tempo's API, as its documentation declares them. */
const tempo = protobuf.parse(`
  syntax = "proto3";
  message Trace { repeated opentelemetry.proto.trace.v1.ResourceSpans resource_spans = 1; }
  message TraceByIDResponse { Trace trace = 1; }
`).root
const root = otlpRoot()
root.add(new protobuf.Namespace('tempopb').addJSON(tempo.toJSON().nested ?? {}))

const traceId = '00000000000000005b8efff798038103'
const spans = [
  makeSpan({
    traceId,
    spanId: '00000000000000a1',
    service: 'storefront',
    name: 'POST /checkout',
    kind: 'server',
    startNs: drawnStartNs,
    attributes: [
      ['http.route', { stringValue: '/checkout' }],
      ['retries', { intValue: '9007199254740993' }],
    ],
  }),
  makeSpan({
    traceId,
    spanId: '00000000000000a2',
    parentId: '00000000000000a1',
    service: 'stock',
    status: 'error',
    startNs: drawnStartNs + 1_000_000_000n,
  }),
]

const protobufType = { accept: 'application/protobuf' }

interface Trace {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Decoded[] }[] }[]
}

type Decoded = Readonly<Record<'spanId' | 'traceId', Uint8Array> & Record<'name' | 'startTimeUnixNano', string>>

async function decoded(response: Response, message: string): Promise<Trace> {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/protobuf'])
  const type = root.lookupType(`tempopb.${message}`)
  const plain = type.toObject(type.decode(Buffer.from(await response.arrayBuffer())), { longs: String })
  return (message === 'Trace' ? plain : plain.trace) as Trace
}

const spansOf = ({ resourceSpans }: Trace) =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))

const named = (trace: Trace) =>
  spansOf(trace).map(({ traceId, spanId, name, startTimeUnixNano }) => ({
    traceId: Buffer.from(traceId).toString('hex'),
    spanId: Buffer.from(spanId).toString('hex'),
    name,
    startTimeUnixNano,
  }))

const expected = spans.map(({ spanId, name, startNs }) => ({ traceId, spanId, name, startTimeUnixNano: `${startNs}` }))

it('a data source is tested with its key as a bearer token, in a header of its own, or as a password', async () => {
  const source = await open()
  const basic = `Basic ${Buffer.from(`anyone:${source.key}`).toString('base64')}`
  for (const headers of [{}, { authorization: basic }, { authorization: basic.replace('Basic', 'basic') }]) {
    const response = await source.get('/api/echo', {}, headers)
    expect([response.status, await response.text()]).toEqual([200, 'echo'])
  }
})

it.each([
  ['no credential', '', 401],
  ['a password that is no credential', `Basic ${btoa('anyone:wrong')}`, 401],
  ['a password without a user', `Basic ${btoa('wrong')}`, 401],
])('%s is refused', async (_, authorization, status) => {
  const source = await open()
  expect((await source.get('/api/echo', {}, { authorization })).status).toBe(status)
})

it('a refusal has its detail in the member that Grafana shows', async () => {
  const source = await open()
  const refused = [
    await source.get('/api/search', { q: '{ status = error } | rate()' }),
    await source.get('/api/search', { limit: '0' }),
    await source.get('/api/echo', {}, { authorization: 'Bearer tf_wrong' }),
    await source.get('/api/metrics/query_range'),
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 401, 404])
  for (const response of refused) {
    const { detail, message } = (await response.json()) as { detail: string; message?: string }
    expect(message).toBe(detail)
  }
  const elsewhere = await fetch(`${source.app.url}/api/v1/me`)
  expect(await elsewhere.json()).not.toHaveProperty('message')
})

it('a password opens no other operation', async () => {
  const source = await open()
  const authorization = `Basic ${btoa(`anyone:${source.key}`)}`
  expect((await fetch(`${source.app.url}/api/v1/me`, { headers: { authorization } })).status).toBe(401)
})

it('a key that can only send telemetry is refused', async () => {
  const source = await open()
  const authorization = `Bearer ${await source.app.token({ org: source.org, role: 'ingest' })}`
  expect((await source.get('/api/echo', {}, { authorization })).status).toBe(403)
})

it('the version is one from which Grafana does not offer streaming', async () => {
  const source = await open()
  const { version } = await source.json<{ version: string }>('/api/status/buildinfo')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  expect([major, minor < 2]).toEqual([2, true])
})

it('reads a trace as protobuf and as JSON through both versions of the API', async () => {
  const source = await open()
  await source.store(spans)
  expect(named(await decoded(await source.get(`/api/traces/${traceId}`, {}, protobufType), 'Trace'))).toEqual(expected)
  const second = await source.get(`/api/v2/traces/${traceId}`, {}, protobufType)
  expect(named(await decoded(second, 'TraceByIDResponse'))).toEqual(expected)
  const { trace } = await source.json<{ trace: Trace }>(`/api/v2/traces/${traceId}`)
  const { batches } = await source.json<{ batches: unknown[] }>(`/api/traces/${traceId}`)
  expect(batches).toEqual(trace.resourceSpans)
  const sent = toOtlpJson(spans).resourceSpans as typeof batches
  expect(batches.map((each) => (each as { resource: unknown }).resource)).toEqual(
    sent.map((each) => (each as { resource: unknown }).resource),
  )
})

it('takes the id in either case and without leading zeros', async () => {
  const source = await open()
  await source.store(spans)
  for (const id of [traceId.toUpperCase(), traceId.replace(/^0+/, '')]) {
    const trace = await decoded(await source.get(`/api/v2/traces/${id}`, {}, protobufType), 'TraceByIDResponse')
    expect(named(trace)).toEqual(expected)
  }
})

it('returns the spans that start in the window, and 404 if none does', async () => {
  const source = await open()
  await source.store(spans)
  const second = Number(drawnStartNs / 1_000_000_000n) + 1
  const within = { start: `${second}`, end: `${second}` }
  const trace = await decoded(await source.get(`/api/traces/${traceId}`, within, protobufType), 'Trace')
  expect(named(trace)).toEqual(expected.slice(1))
  const later = { start: `${second + 1}`, end: `${second + 9}` }
  expect((await source.get(`/api/v2/traces/${traceId}`, later, protobufType)).status).toBe(404)
  expect((await source.get(`/api/v2/traces/${traceId}`, { start: '9', end: '8' })).status).toBe(400)
  // Clients of Tempo write zeros for no window.
  expect((await source.get(`/api/v2/traces/${traceId}`, { start: '0', end: '0' })).status).toBe(200)
})

it('a trace of another organization is absent', async () => {
  const [one, other] = [await open(), await open()]
  await one.store(spans)
  expect((await other.get(`/api/v2/traces/${traceId}`, {}, protobufType)).status).toBe(404)
})

it('a trace that is written in several pieces is whole after its parts are merged', async () => {
  const source = await open()
  const many = Array.from({ length: 6_000 }, (_, index) =>
    makeSpan({
      traceId,
      spanId: (index + 1).toString(16).padStart(16, '0'),
      startNs: drawnStartNs + BigInt(index),
      attributes: [['text', { stringValue: 'x'.repeat(1_000) }]],
    }),
  )
  await source.store(many)
  const response = await source.get(`/api/v2/traces/${traceId}`, {}, protobufType)
  const reader = protobuf.Reader.create(Buffer.from(await response.arrayBuffer()))
  const ids: string[] = []
  let parts = 0
  for (; reader.pos < reader.len; parts++) {
    expect(reader.uint32()).toBe(0x0a)
    const type = root.lookupType('tempopb.Trace')
    const part = type.toObject(type.decode(reader.bytes())) as unknown as Trace
    ids.push(...spansOf(part).map(({ spanId }) => Buffer.from(spanId).toString('hex')))
  }
  expect(parts).toBeGreaterThan(1)
  expect(ids).toEqual(many.map(({ spanId }) => spanId))
})

import { expect, it } from 'vitest'
import { batchOf } from '../../server/cli/import/batches.ts'
import type { Element } from '../../server/cli/import/otlp-file.ts'
import { type Sending, sendBatch } from '../../server/cli/import/send-batch.ts'
import { writeOtlpMessage } from '../../server/ingest/wire/json-transcoder.ts'
import { ExitError } from '../../server/lifecycle/exit-codes.ts'

const json = { 'content-type': 'application/json' }
const element: Element = { bytes: Buffer.from('{}'), signal: 'traces', recordCount: 5, documentStart: 0, end: 2 }

/** Sends `elements` to a server that returns these responses, one after the other. */
function sendTo(answers: readonly Response[], elements: readonly Element[] = [element], retrySecondsMax = 60) {
  const requests: { url: string; headers: Headers; body: string }[] = []
  const sending: Sending = {
    url: 'http://collector.example',
    token: 'secret',
    signal: new AbortController().signal,
    retrySecondsMax,
    onRetry() {},
    async fetch(url, init) {
      requests.push({
        url: String(url),
        headers: new Headers(init?.headers),
        body: Buffer.from(init?.body as Uint8Array).toString(),
      })
      const answer = answers[requests.length - 1]
      if (answer === undefined) throw new TypeError('fetch failed', { cause: new Error('connection refused') })
      return answer
    },
  }
  return {
    requests,
    outcome: sendBatch({ batch: batchOf(elements), encoding: 'json', idempotencyKey: 'file:1' }, sending),
  }
}

const again = (status: number) => new Response('{}', { status, headers: { ...json, 'retry-after': '0' } })

it.each([429, 502, 503, 504])('retries %i after the pause that the server requests', async (status) => {
  const { requests, outcome } = sendTo([again(status), again(status), new Response('{}', { headers: json })])
  expect(await outcome).toEqual({ accepted: 5, rejected: 0, reasons: [] })
  expect(requests).toHaveLength(3)
})

it('sends token and media type with every request', async () => {
  const { requests, outcome } = sendTo([new Response('{}', { headers: json })])
  await outcome
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer secret')
  expect(requests[0]?.headers.get('content-type')).toBe('application/json')
})

it('a page with the status 200 is not an acknowledgement, and is not requested again', async () => {
  const page = new Response('<!doctype html><title>Welcome</title>', { headers: { 'content-type': 'text/html' } })
  const { requests, outcome } = sendTo([page])
  await expect(outcome).rejects.toThrow('is not an OTLP endpoint: it answered 200 with text/html')
  expect(requests).toHaveLength(1)
})

it('counts the rejected spans of a partial success in JSON', async () => {
  const body = JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'zero ids' } })
  const { outcome } = sendTo([new Response(body, { headers: json })])
  expect(await outcome).toEqual({ accepted: 3, rejected: 2, reasons: ['zero ids'] })
})

it('counts the rejected spans of a partial success in protobuf', async () => {
  const body = writeOtlpMessage('collector.trace.v1.ExportTraceServiceResponse', {
    partialSuccess: { rejectedSpans: '300', errorMessage: 'zero ids' },
  })
  const headers = { 'content-type': 'application/x-protobuf' }
  const { outcome } = sendTo(
    [new Response(new Uint8Array(body), { headers })],
    [{ ...element, signal: 'traces', recordCount: 301 }],
  )
  expect(await outcome).toEqual({ accepted: 1, rejected: 300, reasons: ['zero ids'] })
})

it.each(['{"partialSuccess":null}', '{"partialSuccess":{"rejectedSpans":null,"errorMessage":null}}'])(
  'takes null in a response in JSON for an absent field: %s',
  async (body) => {
    const { requests, outcome } = sendTo([new Response(body, { headers: json })])
    expect(await outcome).toEqual({ accepted: 5, rejected: 0, reasons: [] })
    expect(requests).toHaveLength(1)
  },
)

it('null in JSON is not an acknowledgement, and is not requested again', async () => {
  const { requests, outcome } = sendTo([new Response('null', { headers: json })])
  await expect(outcome).rejects.toThrow('is not an OTLP endpoint: it answered 200 with application/json')
  expect(requests).toHaveLength(1)
})

it('a refusal whose body is null has no reason', async () => {
  const { outcome } = sendTo([new Response('null', { status: 400, headers: json })])
  expect(await outcome).toEqual({
    accepted: 0,
    rejected: 5,
    reasons: ['the server answered 400: no reason given'],
  })
})

it('does not count a warning without rejected spans as a rejection', async () => {
  const body = JSON.stringify({ partialSuccess: { errorMessage: 'strings were repaired' } })
  const { outcome } = sendTo([new Response(body, { headers: json })])
  expect(await outcome).toEqual({ accepted: 5, rejected: 0, reasons: [] })
})

it.each([
  [413, 'too large'],
  [400, 'must be an integer'],
])('bisects a request that is answered %i (%s), down to a single element', async (status, message) => {
  const refusal = () => new Response(JSON.stringify({ message }), { status, headers: json })
  const { requests, outcome } = sendTo(
    [refusal(), new Response('{}', { headers: json }), refusal()],
    [element, { ...element, signal: 'traces', recordCount: 7 }],
  )
  expect(await outcome).toEqual({ accepted: 5, rejected: 7, reasons: [`the server answered ${status}: ${message}`] })
  expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['file:1', 'file:1.1', 'file:1.2'])
})

it('counts spans that the server refuses permanently as rejected, with the reason', async () => {
  const { outcome } = sendTo([new Response('{"message":"no such field"}', { status: 400, headers: json })])
  expect(await outcome).toEqual({ accepted: 0, rejected: 5, reasons: ['the server answered 400: no such field'] })
})

it.each([
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'usage'],
])('ends the import after %i (%s)', async (status, exit) => {
  const { outcome } = sendTo([new Response('{}', { status, headers: json })])
  await expect(outcome).rejects.toMatchObject({ exit })
})

it('retries a request without a response until the time limit', async () => {
  const { requests, outcome } = sendTo([], [element], 1)
  await expect(outcome).rejects.toThrow(ExitError)
  expect(requests.length).toBeGreaterThan(1)
})

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { holdTurns } from '../support/hold-turns.ts'
import { leastStretch } from '../support/longest-stretch.ts'

type Detail = components['schemas']['MessageDetail']

const spanCount = 100_000
const spansPerBody = 10_000
const payload = 'x'.repeat(300)
const traceId = '5b8efff798038103d269b633813fc60c'
const path = `/api/v1/messages/${traceId}`
const MiB = 1024 ** 2

/** Waits for clients that do not read for longer than any test takes. */
let app: TestApp
/** Reads the same database, and disconnects such clients after a second. */
let impatient: TestApp
/** Reads the same database, one query at a time. */
let crowded: TestApp
/** Reads the same database, with little memory for a query. */
let narrow: TestApp
beforeAll(async () => {
  const env = { RESPONSE_STALL_SECONDS_MAX: '3600', RESPONSE_MEMORY_MAX: '16MiB' }
  const overrides = { checkResponses: false }
  app = await startApp({ env, overrides })
  for (let first = 0; first < spanCount; first += spansPerBody) await app.sendSpans(otlpOf(first))
  const { database } = app.config.clickhouse
  const start = (limits: Record<string, string>) =>
    startApp({ env: { ...env, CLICKHOUSE_DATABASE: database, ...limits }, overrides })
  impatient = await start({ RESPONSE_STALL_SECONDS_MAX: '1' })
  crowded = await start({ QUERIES_CONCURRENT_MAX: '1', QUERY_SECONDS_MAX: '120' })
  narrow = await start({ QUERY_MEMORY_MAX: '100MiB' })
})
afterAll(async () => {
  await impatient.close()
  await crowded.close()
  await narrow.close()
  await app.close()
})

const hex = (index: number) => (index + 1).toString(16).padStart(16, '0')

/** A root with two chains: each span is the child of the one two before it, so the tree order is not the time order. */
function otlpOf(first: number): object {
  const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
  const spans = Array.from({ length: spansPerBody }, (_, at) => {
    const index = first + at
    const start = String(startNs + BigInt(index) * 1_000n)
    const parentSpanId = index === 0 ? '' : hex(Math.max(0, index - 2))
    const attributes = [{ key: 'payload', value: { stringValue: payload } }]
    const times = { startTimeUnixNano: start, endTimeUnixNano: start }
    return { traceId, spanId: hex(index), parentSpanId, name: 'step', attributes, ...times }
  })
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] }
}

/** Sends the request and resolves when the response begins. The body is not read until the caller reads it. */
async function ask({
  server = app,
  signal,
}: {
  server?: TestApp
  signal?: AbortSignal
} = {}): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${await server.token({ org: app.org })}` }
  const request = get(server.url + path, { headers, agent: false, ...(signal && { signal }) })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

async function metric(name: string, server = app): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`tracefold_${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}

function inFlight(what: 'http_requests' | 'queries', server = app): Promise<number> {
  return metric(`${what}_in_flight`, server)
}

/** Collects all garbage and returns the bytes that are in use. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it('a message of 100,000 spans is answered in tree order, within turns of the event loop of 100 ms', async () => {
  let chunks: Buffer[] = []
  const read = async () => {
    chunks = []
    for await (const chunk of await ask()) chunks.push(chunk)
  }
  expect(await leastStretch(read, 100)).toBeLessThan(100)
  const { trace_id, spans } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Detail
  expect(trace_id).toBe(traceId)
  const odd = Array.from({ length: spanCount / 2 }, (_, at) => hex(2 * at + 1))
  const even = Array.from({ length: spanCount / 2 - 1 }, (_, at) => hex(2 * at + 2))
  expect(spans.map(({ span_id }) => span_id)).toEqual([hex(0), ...odd, ...even])
  expect(spans.map(({ position }) => position)).toEqual(spans.map((_, position) => position))
  expect(spans[spanCount / 2]).toMatchObject({ depth: spanCount / 2, attributes: [{ value: payload }] })
})

it('a message is read with few queries, each of which may read all of its rows', async () => {
  const queries = () => metric('queries_total{label="message",outcome="ok"}')
  const before = await queries()
  for await (const _ of await ask());
  expect((await queries()) - before).toBeLessThan(12)
})

it('fewer spans are read at once where they exceed the memory of a query', async () => {
  const id = '6c'.repeat(16)
  const attributes = [{ key: 'payload', value: { stringValue: 'y'.repeat(200_000) } }]
  const beginNs = BigInt(Date.now() - 86_400_000) * 1_000_000n
  for (let first = 0; first < 300; first += 50) {
    const spans = Array.from({ length: 50 }, (_, at) => {
      // Spans in other intervals of the primary key need not be read.
      const start = String(beginNs + BigInt(first + at) * 20_000_000_000n)
      const times = { startTimeUnixNano: start, endTimeUnixNano: start }
      return { traceId: id, spanId: hex(first + at), name: 'step', attributes, ...times }
    })
    await app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  }
  const { spans } = await narrow.ask<Detail>(`/api/v1/messages/${id}`, { whom: { org: app.org } })
  expect(spans).toHaveLength(300)
})

it('a message of 100,000 spans is answered without being held in memory', async () => {
  const before = usedBytes()
  let [used, read, sampled] = [0, 0, 0]
  for await (const chunk of await ask()) {
    read += chunk.length
    if (read - sampled < 4 * MiB) continue
    sampled = read
    used = Math.max(used, usedBytes() - before)
  }
  expect(read).toBeGreaterThan(60 * MiB)
  expect(used).toBeLessThan(40 * MiB)
})

it('a client that does not read is disconnected, and occupies no query in the meantime', async () => {
  const response = await ask({ server: impatient })
  await expect.poll(() => inFlight('queries', impatient), { timeout: 60_000 }).toBe(0)
  // The request for the metrics is itself in flight.
  await expect.poll(() => inFlight('http_requests', impatient), { timeout: 60_000 }).toBe(1)
  response.resume()
  await new Promise((resolve) => response.once('close', resolve))
  expect(response.complete).toBe(false)
})

it('further large responses are refused while clients do not read theirs', async () => {
  const [first, second] = [await ask(), await ask()]
  expect([first.statusCode, second.statusCode]).toEqual([200, 429])
  expect(second.headers['retry-after']).toBe('1')
  for (const response of [first, second]) response.destroy()
  await expect.poll(() => inFlight('http_requests'), { timeout: 60_000 }).toBe(1)
  const third = await ask()
  expect(third.statusCode).toBe(200)
  third.destroy()
})

it('a message that has begun waits while other queries of its organization hold all turns', async () => {
  const response = await ask({ server: crowded })
  expect(response.statusCode).toBe(200)
  const reading = (async () => {
    let text = ''
    for await (const chunk of response) text += chunk
    return text
  })()
  await holdTurns(crowded, app.org, 'message')
  expect((JSON.parse(await reading) as Detail).spans).toHaveLength(spanCount)
})

it('a client that leaves ends the reading of a message', async () => {
  const client = new AbortController()
  const response = await ask({ signal: client.signal })
  await once(response, 'data')
  client.abort()
  await expect.poll(() => inFlight('http_requests'), { timeout: 60_000 }).toBe(1)
  await expect.poll(() => inFlight('queries'), { timeout: 60_000 }).toBe(0)
})

it('an error after the first byte closes the connection, so that a part is never taken for the whole', async () => {
  const response = await ask()
  await once(response, 'readable')
  await app.app.clickhouse.command('DROP TABLE spans SYNC')
  let text = ''
  const reading = (async () => {
    for await (const chunk of response) text += chunk
  })()
  await expect(reading).rejects.toThrow('aborted')
  expect(text).toContain(traceId)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { MemoryShares } from '../../server/admission/memory-shares.ts'
import { decodeBody } from '../../server/ingest/endpoint/decode-body.ts'
import { DecodeTurns } from '../../server/ingest/endpoint/decode-turns.ts'
import { insertLimits } from '../../server/ingest/inserts/row-batches.ts'
import { AcceptedTimes } from '../../server/ingest/records/accepted-times.ts'
import { traces } from '../../server/ingest/spans/traces-signal.ts'
import { BufferPool } from '../../server/ingest/wire/buffer-pool.ts'
import { type OtlpSpan, request, span } from '../support/otlp-json.ts'
import { encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { allTimes, type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

it('a buffer has one owner until it is given back', () => {
  const pool = new BufferPool()
  const first = pool.take(100_000)
  expect(first.length).toBeGreaterThanOrEqual(100_000)
  expect(pool.take(100_000).buffer).not.toBe(first.buffer)
  pool.give(first.subarray(0, 7))
  expect(pool.take(90_000).buffer).toBe(first.buffer)
  expect(pool.take(90_000).buffer).not.toBe(first.buffer)
})

it('a small request does not get a large buffer, and a large request gets a large one', () => {
  const pool = new BufferPool()
  const large = pool.take(8 * 2 ** 20)
  pool.give(large)
  expect(pool.take(10).length).toBeLessThan(2 ** 20)
  expect(pool.take(16 * 2 ** 20).length).toBeGreaterThanOrEqual(16 * 2 ** 20)
  expect(pool.take(8 * 2 ** 20).buffer).toBe(large.buffer)
})

it('the memory kept for later requests is bounded', () => {
  const pool = new BufferPool()
  const taken = Array.from({ length: 5 }, () => pool.take(2 ** 25))
  for (const buffer of taken) pool.give(buffer)
  const again = Array.from({ length: 5 }, () => pool.take(2 ** 25))
  const kept = again.filter(({ buffer }) => taken.some((one) => one.buffer === buffer))
  expect(kept.length).toBe(2)
})

it('buffers of sizes that are no longer in demand are dropped first', () => {
  const pool = new BufferPool()
  const taken = Array.from({ length: 1_500 }, () => pool.take(0))
  for (const buffer of taken) pool.give(buffer)
  const large = pool.take(2 ** 25)
  pool.give(large)
  expect(pool.take(2 ** 25).buffer).toBe(large.buffer)
})

it('the pieces of a body are released when they are copied, because only one copy counts as memory', async () => {
  const body = encodeTraces(fromOtlpJson(request(span(), span())))
  const pieces = [body.subarray(0, 10), body.subarray(10)]
  const { outcome } = await decodeBody(pieces, {
    signal: traces,
    encoding: 'protobuf',
    org: 'acme',
    bodyBytesMax: 2 ** 20,
    memory: new MemoryShares(2 ** 26).open('acme'),
    buffers: new BufferPool(),
    turns: new DecodeTurns(),
    times: new AcceptedTimes(allTimes, new Date()),
    indexesValues: true,
  })
  expect([outcome.accepted, pieces]).toEqual([2, []])
})

it('a body with rows on a hundred days is one insert into each table, and is refused with rows on one more day', () => {
  const nsPerDay = 86_400_000_000_000n
  const spans = Array.from({ length: 101 }, (_, day) => {
    const start = String(1_000_000_000_000_000_000n + BigInt(day) * nsPerDay)
    return span({ startTimeUnixNano: start, endTimeUnixNano: start })
  })
  const limits = { ...insertLimits, rowBytesMax: 2 ** 26 }
  const times = new AcceptedTimes(allTimes, new Date())
  const decode = (sent: readonly OtlpSpan[]) => {
    const body = encodeTraces(fromOtlpJson(request(...sent, ...sent)))
    return traces.open(body, 'acme', { limits, buffers: new BufferPool() }, times).step()
  }
  expect(decode(spans.slice(1))?.batches).toMatchObject([
    { table: { name: 'value_index' }, days: 100 },
    { table: { name: 'spans' }, rows: 200, days: 100 },
  ])
  expect(() => decode(spans)).toThrow('on more than 100 different days')
})

it('concurrent requests of all sizes are stored intact while buffers are reused', async () => {
  const bodyOf = (round: number, sender: number) => {
    const spans = Array.from({ length: 1 + ((sender * 37 + round * 11) % 400) }, (_, index) =>
      span({ name: `${round}/${sender}/${index}/${'x'.repeat((index * 13) % 300)}` }),
    )
    return { names: spans.map(({ name }) => name), body: request(...spans), isJson: sender % 3 === 0 }
  }
  const sent = new Set<unknown>()
  for (let round = 0; round < 6; round++) {
    const bodies = Array.from({ length: 24 }, (_, sender) => bodyOf(round, sender))
    const answers = await Promise.all(
      bodies.map(({ body, isJson }, sender) =>
        send(server, isJson ? body : encodeTraces(fromOtlpJson(body)), { gzip: sender % 2 === 0 }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const { names } of bodies) for (const name of names) sent.add(name)
  }
  const query = { text: 'SELECT toString(name) AS name FROM spans FINAL', params: {} }
  const { rows } = await server.clickhouse.read<{ name: string }>(query, { for: 'system', label: 'names' })
  expect(new Set(rows.map(({ name }) => name))).toEqual(sent)
  expect(rows.length).toBe(sent.size)
})

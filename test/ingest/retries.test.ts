import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problem } from '../../server/problem/problem.ts'
import { sendGrpc } from '../support/grpc-client.ts'
import { attributes, request, span } from '../support/otlp-json.ts'
import { encodeExport, encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { countRows, type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

describe('a body that is sent again', () => {
  it('is acknowledged and stores nothing twice', async () => {
    const body = encodeTraces(fromOtlpJson(request(span(), span())))
    for (let i = 0; i < 3; i++) expect((await send(server, body, { org: 'again' })).status).toBe(200)
    expect(await countRows(server.clickhouse, 'again')).toBe(2)
  })

  it('stores nothing twice when it is sent eight times concurrently', async () => {
    const body = encodeTraces(fromOtlpJson(request(...Array.from({ length: 500 }, () => span()))))
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(server, body, { org: 'atonce' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await countRows(server.clickhouse, 'atonce')).toBe(500)
  })

  it('stores nothing twice when it is compressed, or in the other encoding', async () => {
    const json = request(span())
    await send(server, json, { org: 'form' })
    await send(server, json, { org: 'form', gzip: true })
    await send(server, encodeTraces(fromOtlpJson(json)), { org: 'form' })
    expect(await countRows(server.clickhouse, 'form')).toBe(1)
  })

  it('to another server stores nothing twice, and spans that may have expired so that they count once', async () => {
    const other = await startOtlpServer({ clickhouse: server.clickhouse })
    const now = BigInt(Date.now()) * 1_000_000n
    for (const [org, ns] of [
      ['tomorrow', now + 86_400_000_000_000n],
      ['yesterday', now - 86_400_000_000_000n],
    ] as const) {
      const json = request(span({ startTimeUnixNano: `${ns}`, endTimeUnixNano: `${ns + 1n}` }))
      for (const each of [server, other]) expect((await send(each, json, { org })).status).toBe(200)
    }
    await other.close()
    expect(await countRows(server.clickhouse, 'tomorrow')).toBe(1)
    expect(await countRows(server.clickhouse, 'yesterday', 'spans FINAL')).toBe(1)
  })

  it('by another organization is stored for that organization too', async () => {
    const json = request(span())
    await send(server, json, { org: 'one' })
    await send(server, json, { org: 'other' })
    expect(await countRows(server.clickhouse, 'one')).toBe(1)
    expect(await countRows(server.clickhouse, 'other')).toBe(1)
  })

  it('after a part of its inserts succeeded is stored completely and once', async () => {
    let inserts = 0
    const failing = await startOtlpServer({
      sink: (clickhouse) => ({
        insert(...insert) {
          if (insert[0] === 'spans') inserts++
          if (insert[0] === 'spans' && inserts === 2) return Promise.reject(problem('unavailable', 'Restarting.'))
          return clickhouse.insert(...insert)
        },
      }),
    })
    try {
      const body = encodeTraces(fromOtlpJson(request(...Array.from({ length: 60_000 }, () => span()))))
      expect((await send(failing, body)).status).toBe(503)
      expect(await countRows(failing.clickhouse)).toBe(50_000)
      expect((await send(failing, body)).status).toBe(200)
      expect(await countRows(failing.clickhouse)).toBe(60_000)
      expect(inserts).toBe(4)
    } finally {
      await failing.close()
    }
  })
})

describe('equal log records', () => {
  const records = (count: number, resource = {}) => {
    const logRecords = Array(count).fill({ timeUnixNano: '1790000000000000000', body: { stringValue: 'same' } })
    return { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }
  }
  const sendLogs = async (to: OtlpServer, body: object, org: string) =>
    (await send(to, body, { path: '/v1/logs', org })).status
  const count = (org: string, { clickhouse } = server) => countRows(clickhouse, org, 'log_records')

  it('that fill several inserts are all stored, and once if their body is sent again', async () => {
    const body = records(100_000)
    for (let i = 0; i < 2; i++) {
      expect(await sendLogs(server, body, 'equal')).toBe(200)
      expect(await count('equal')).toBe(100_000)
    }
  })

  it('that fill one insert exactly are not the start of a longer body', async () => {
    for (const size of [50_000, 50_001, 100_000]) expect(await sendLogs(server, records(size), 'longer')).toBe(200)
    expect(await count('longer')).toBe(200_001)
  })

  it('that fill inserts by their size are all stored', async () => {
    const body = records(24, { attributes: attributes({ large: { stringValue: 'x'.repeat(4 * 2 ** 20) } }) })
    for (let i = 0; i < 2; i++) {
      expect(await sendLogs(server, body, 'size')).toBe(200)
      expect(await count('size')).toBe(24)
    }
  })

  it('are stored once for each idempotency key, however often their body is sent', async () => {
    const body = records(60_000)
    const path = '/v1/logs'
    for (const key of ['a', 'b', 'a', 'b']) {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
      expect((await send(server, body, { path, org: 'keys', headers })).status).toBe(200)
    }
    expect(await count('keys')).toBe(120_000)
    for (const metadata of [{ 'idempotency-key': 'a' }, { 'idempotency-key': 'c' }]) {
      const message = encodeExport('logs', fromOtlpJson(body))
      expect((await sendGrpc(server.grpcUrl, message, { signal: 'logs', org: 'keys', metadata })).code).toBe(0)
    }
    expect(await count('keys')).toBe(180_000)
  })

  it('with an idempotency key of more than 255 bytes get 400', async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k'.repeat(256) }
    const { status, message } = await send(server, records(1), { path: '/v1/logs', headers })
    expect([status, message.message]).toEqual([400, 'Idempotency-Key must have at most 255 bytes.'])
  })

  it('of which a part was stored are completed when their body is sent again', async () => {
    let inserts = 0
    const failing = await startOtlpServer({
      sink: (clickhouse) => ({
        insert(table, ...rest) {
          const isFailing = table === 'log_records' && ++inserts === 2
          return isFailing ? Promise.reject(problem('unavailable', 'Restarting.')) : clickhouse.insert(table, ...rest)
        },
      }),
    })
    try {
      expect(await sendLogs(failing, records(100_000), 'part')).toBe(503)
      expect(await count('part', failing)).toBe(50_000)
      expect(await sendLogs(failing, records(100_000), 'part')).toBe(200)
      expect(await count('part', failing)).toBe(100_000)
    } finally {
      await failing.close()
    }
  })
})

describe('many rows', () => {
  it('are stored in several inserts and acknowledged after the last', async () => {
    const rows: number[] = []
    const counting = await startOtlpServer({
      sink: (clickhouse) => ({
        async insert(table, columns, bytes, options) {
          await clickhouse.insert(table, columns, bytes, options)
          if (table === 'spans') rows.push(options.rows)
        },
      }),
    })
    try {
      const body = encodeTraces(fromOtlpJson(request(...Array.from({ length: 60_000 }, () => span()))))
      expect((await send(counting, body, { gzip: true })).status).toBe(200)
      expect(rows).toEqual([50_000, 10_000])
      expect(await countRows(counting.clickhouse)).toBe(60_000)
    } finally {
      await counting.close()
    }
  })

  it('of a resource far larger than its spans get 413, and nothing is stored', async () => {
    const resource = { attributes: [{ key: 'large', value: { stringValue: 'x'.repeat(1_000_000) } }] }
    const spans = Array.from({ length: 20_000 }, () => span())
    const body = encodeTraces(fromOtlpJson({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }))
    const { status, message } = await send(server, body, { org: 'large', gzip: true })
    expect(status).toBe(413)
    expect(message.message).toContain('Every row repeats the attributes of its resource')
    expect(await countRows(server.clickhouse, 'large')).toBe(0)
  })
})

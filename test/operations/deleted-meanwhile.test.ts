/** Telemetry that is deleted, as retention does, while a client reads it. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { makeLog, toOtlpLogs } from '../support/log-model.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error', RESPONSE_STALL_SECONDS_MAX: '3600' } })
})
afterAll(() => app.close())

/** More than the buffers of a connection take. */
const count = 6_000
const text = 'x'.repeat(4_000)
const window = { from: toRfc3339(drawnStartNs), to: toRfc3339(drawnStartNs + 86_400_000_000_000n) }
const hex = (number: number, digits: number) => (number + 1).toString(16).padStart(digits, '0')

async function store(path: string, bodyOf: (numbers: readonly number[]) => object): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at)
  for (let at = 0; at < count; at += 2_000) {
    const response = await app.send(path, { json: bodyOf(numbers.slice(at, at + 2_000)) })
    expect(response.status).toBe(200)
  }
}

/** Sends a request and resolves when the response begins. Its body is not read yet. */
async function begin(method: string, path: string, body?: object): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${await app.token({})}`, 'content-type': 'application/json' }
  const request = httpRequest(app.url + path, { method, headers, agent: false })
  request.end(body && JSON.stringify(body))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  expect(response.statusCode).toBe(200)
  return response
}

async function expectBroken(response: IncomingMessage): Promise<void> {
  const reading = (async () => {
    for await (const _ of response);
  })()
  await expect(reading).rejects.toThrow('aborted')
}

const spanOf = (traceId: string, number: number) =>
  makeSpan({
    org: app.org,
    traceId,
    spanId: hex(number, 16),
    startNs: drawnStartNs + BigInt(number),
    name: text,
  })

it('an export of messages that are deleted meanwhile breaks off instead of ending without them', async () => {
  await store('/v1/traces', (numbers) => toOtlpJson(numbers.map((number) => spanOf(hex(number, 32), number))))
  const begun = await begin('POST', '/api/v1/messages/export', window)
  await app.app.clickhouse.command('TRUNCATE TABLE spans')
  await expectBroken(begun)
})

it('an export of log records that are deleted meanwhile breaks off instead of ending without them', async () => {
  await store('/v1/logs', (numbers) =>
    toOtlpLogs(
      numbers.map((number) => makeLog({ timeNs: drawnStartNs + BigInt(number), body: { stringValue: text } })),
    ),
  )
  const begun = await begin('POST', '/api/v1/logs/export', window)
  await app.app.clickhouse.command('TRUNCATE TABLE log_records')
  await expectBroken(begun)
})

it.each([
  ['whose spans are', 'TRUNCATE TABLE spans'],
  ['one of whose spans is', `DELETE FROM spans WHERE span_id = ${count - 1_000}`],
])('a message %s deleted meanwhile breaks off instead of ending without them', async (_, deletion) => {
  await store('/v1/traces', (numbers) => toOtlpJson(numbers.map((number) => spanOf('7'.repeat(32), number))))
  const begun = await begin('GET', `/api/v1/messages/${'7'.repeat(32)}`)
  await app.app.clickhouse.command(deletion)
  await expectBroken(begun)
})

import { randomUUID } from 'node:crypto'
import { expect, inject, it, onTestFinished } from 'vitest'
import { grpcCodes } from '../../server/ingest/grpc/grpc-status.ts'
import { exportRequest, toProtobuf } from '../cli/otlp-files.ts'
import { type BalancerPage, startRemote } from '../clickhouse/remote-engine.ts'
import { sendGrpc } from '../ingest/grpc-client.ts'
import { request, span } from '../ingest/otlp-json.ts'
import { startApp, type TestApp } from '../support/app.ts'

/** Starts a server of a remote ClickHouse, which refuses every statement with a page while there is one. */
async function openRefusable() {
  const remote: { page: BalancerPage | undefined } = { page: undefined }
  const { username, password } = inject('engine')
  const CLICKHOUSE_URL = await startRemote(
    () => remote.page !== undefined,
    () => remote.page ?? { status: 503, text: '' },
  )
  const CLICKHOUSE_DATABASE = `test_${randomUUID().replaceAll('-', '')}`
  const credentials = { CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password }
  const app = await startApp({ env: { CLICKHOUSE_URL, CLICKHOUSE_DATABASE, ...credentials } })
  onTestFinished(() => app.close())
  return { app, remote }
}

/** Returns level, message and cause of the lines that are not of one request, from a position. */
function linesSince({ logLines }: TestApp, from: number) {
  return logLines()
    .slice(from)
    .filter(({ req, grpc }) => req === undefined && grpc === undefined)
    .map(({ level, msg, err }) => [level, msg, (err as { message: string } | undefined)?.message])
}

const post = ({ send }: TestApp, path: string, body: object) =>
  send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** How ClickHouse 26.7 refuses an insert. */
const refusals = [
  ['NOT_ENOUGH_SPACE', 'Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)'],
  ['TOO_MANY_PARTS', 'Code: 252. DB::Exception: Too many parts (3000 with average size of 1 KiB). (TOO_MANY_PARTS)'],
  ['TABLE_IS_READ_ONLY', 'Code: 242. DB::Exception: Table is in readonly mode. (TABLE_IS_READ_ONLY)'],
  ['(total)', 'Code: 241. DB::Exception: (total) memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)'],
  ['of a user', 'Code: 241. DB::Exception: User memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)'],
  ['TIMEOUT_EXCEEDED', 'Code: 159. DB::Exception: Timeout exceeded: elapsed 60 seconds. (TIMEOUT_EXCEEDED)'],
] as const

it.each(refusals)('senders are asked to send again, and the reason is logged once: %s', async (_, text) => {
  const { app, remote } = await openRefusable()
  const before = app.logLines().length
  remote.page = { status: 500, text }
  const body = request(span())
  for (let n = 0; n < 2; n++) {
    const refused = await post(app, '/v1/traces', body)
    const answer = await refused.text()
    expect([refused.status, refused.headers.get('retry-after'), answer]).toEqual([503, '2', expect.any(String)])
    expect(answer).toMatch(/^\{"code":14,"message":"[^"]*\. Retry later\."\}$/)
    expect(answer).not.toMatch(/query|window/)
  }
  const authorization = `Bearer ${await app.token()}`
  expect(await sendGrpc(app.grpcUrl, toProtobuf(exportRequest([1])), { authorization })).toMatchObject({
    code: grpcCodes.unavailable,
    details: { RetryInfo: { retryDelay: { seconds: '2' } } },
  })
  expect(linesSince(app, before)).toEqual([
    [
      'warn',
      'Could not store telemetry, which senders are asked to send again',
      expect.stringContaining('Retry later.'),
    ],
  ])

  remote.page = undefined
  expect((await post(app, '/v1/traces', body)).status).toBe(200)
})

import { expect, it, onTestFinished } from 'vitest'
import { grpcCodes } from '../../server/ingest/grpc/grpc-status.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { sendGrpc } from '../support/grpc-client.ts'
import { exportRequest, toProtobuf } from '../support/otlp-files.ts'
import { request, span } from '../support/otlp-json.ts'
import { startPostgres } from '../support/postgres.ts'
import { type BalancerPage, remoteEnv, startRemote } from '../support/remote-engine.ts'

/** Starts a server of a remote ClickHouse, which refuses every statement with a page while there is one. */
async function openRefusable() {
  const remote: { page: BalancerPage | undefined } = { page: undefined }
  const url = await startRemote(
    () => remote.page !== undefined,
    () => remote.page ?? { status: 503, text: '' },
  )
  const app = await startApp({ env: remoteEnv(url) })
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

const post = ({ send }: TestApp, path: string, body: object) => send(path, { json: body })

/** How ClickHouse 26.7 refuses an insert. */
const refusals = [
  ['NOT_ENOUGH_SPACE', 'Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)'],
  ['TOO_MANY_PARTS', 'Code: 252. DB::Exception: Too many parts (3000 with average size of 1 KiB). (TOO_MANY_PARTS)'],
  ['TABLE_IS_READ_ONLY', 'Code: 242. DB::Exception: Table is in readonly mode. (TABLE_IS_READ_ONLY)'],
  ['(total)', 'Code: 241. DB::Exception: (total) memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)'],
  ['of a user', 'Code: 241. DB::Exception: User memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)'],
  ['ACCESS_DENIED', 'Code: 497. DB::Exception: tracefold: Not enough privileges. (ACCESS_DENIED)'],
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
  expect(JSON.stringify(app.logLines().slice(before))).not.toContain('"stack"')

  remote.page = undefined
  expect((await post(app, '/v1/traces', body)).status).toBe(200)
})

it('an outage in which requests of the API are refused is logged once without stacks, and so is its end', async () => {
  const { app, remote } = await openRefusable()
  const search = () => post(app, '/api/v1/messages/search', {})
  const before = app.logLines().length
  remote.page = { status: 503, text: '' }
  for (let n = 0; n < 3; n++) expect((await search()).status).toBe(503)
  const cause = expect.stringContaining('The response with status 503 did not come from ClickHouse.')
  const began = ['warn', 'Could not query ClickHouse, so requests that read telemetry are refused', cause]
  expect(linesSince(app, before)).toEqual([began])
  const requests = app.logLines().filter(({ req }, at) => at >= before && req !== undefined)
  expect(requests.map(({ level, operation }) => [level, operation])).toEqual(Array(3).fill(['warn', 'searchMessages']))
  expect(JSON.stringify(app.logLines().slice(before))).not.toContain('"stack"')

  remote.page = undefined
  await expect
    .poll(async () => [(await search()).status, linesSince(app, before)], { timeout: 60_000, interval: 500 })
    .toEqual([200, [began, ['info', 'ClickHouse answers queries again', undefined]]])
})

it('an outage of Postgres is logged once, however many requests are refused, and so is its end', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const env = { METADATA_URL: await postgres.createDatabase(), SECRETS_KEY: '7'.repeat(64) }
  const app = await startApp({ env })
  onTestFinished(() => app.close())
  const list = () => app.send('/api/v1/saved-views')
  const before = app.logLines().length
  await postgres.stop()
  for (let n = 0; n < 3; n++) expect((await list()).status).toBe(503)
  const ofRequests = () => linesSince(app, before).filter(([, msg]) => /metadata store/.test(String(msg)))
  const cause = expect.stringContaining('The metadata store is unavailable.')
  const began = ['warn', 'Could not use the metadata store, so requests that need it are refused', cause]
  expect(ofRequests()).toEqual([began])
  expect(JSON.stringify(app.logLines().slice(before))).not.toContain('"stack"')

  await postgres.start()
  await expect
    .poll(async () => [(await list()).status, ofRequests()], { timeout: 60_000, interval: 500 })
    .toEqual([200, [began, ['info', 'The metadata store is available again', undefined]]])
})

it('a store that does not respond at the start is logged once, and once when it responds', async () => {
  let refused = 0
  const url = await startRemote(() => refused++ < 3)
  const app = await startApp({ env: remoteEnv(url) })
  onTestFinished(() => app.close())
  expect(refused).toBeGreaterThan(3)
  expect(linesSince(app, 0).filter(([, message]) => /store/.test(String(message)))).toEqual([
    ['warn', 'Could not reach a store; waiting until it responds', expect.stringContaining('status 503')],
    ['info', 'The store responds', undefined],
  ])
})

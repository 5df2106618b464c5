import { expect, it, onTestFinished } from 'vitest'
import { grpcCodes } from '../../server/ingest/grpc/grpc-status.ts'
import { openQuestions, type Question, telemetryQuestions } from '../cluster/questions.ts'
import { drawTelemetry, storeTelemetry } from '../cluster/telemetry.ts'
import { connectAgent } from '../mcp/agent.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { sendGrpc } from '../support/grpc-client.ts'
import { exportRequest, toProtobuf } from '../support/otlp-files.ts'
import { type BalancerPage, remoteEnv, startRemote } from '../support/remote-engine.ts'

const seed = 1

async function openBehindBalancer(isDown: () => boolean, pageOf?: () => BalancerPage): Promise<TestApp> {
  const app = await startApp({ env: remoteEnv(await startRemote(isDown, pageOf)), beforeReady: true })
  onTestFinished(() => app.close())
  return app
}

/** Returns path and status of every question, and whether its answer says when to retry. */
async function askAll(app: TestApp, questions: readonly Question[], headers: Record<string, string> = {}) {
  const answers: (readonly [path: string, status: number, canBeRetried: boolean])[] = []
  for (const { path, body } of questions) {
    const response = await app.send(path.startsWith('/tempo/') ? path : `/api/v1${path}`, {
      headers,
      json: body,
    })
    await response.arrayBuffer()
    answers.push([path, response.status, response.headers.has('retry-after')])
  }
  return answers
}

it('every question gets 503 while only a load balancer responds for ClickHouse, and then its answer', async () => {
  let isDown = false
  const app = await openBehindBalancer(() => isDown)
  await app.app.ready
  await storeTelemetry(app, app.org, seed)
  const about = await openQuestions(app, app.org)
  const questions = Object.values(telemetryQuestions).flatMap((questionsOf) => questionsOf(about))
  const exports = questions.filter(({ path }) => path.endsWith('/export'))
  const agent = await connectAgent(app.url, await app.token())
  const answersWith = (status: number) =>
    [questions, exports, exports].flatMap((sent) => sent.map(({ path }) => [path, status, status === 503]))
  const askEverything = async () => [
    ...(await askAll(app, questions)),
    ...(await askAll(app, exports, { accept: 'text/csv' })),
    ...(await askAll(app, exports, { accept: 'application/x-ndjson' })),
  ]

  isDown = true
  expect(await askEverything()).toEqual(answersWith(503))
  for (const [path, body] of drawTelemetry(app.org, seed)) {
    expect((await app.send(path, { json: body })).status, path).toBe(503)
  }
  const search = await agent.call('search')
  expect([search.isError, search.text]).toEqual([true, expect.stringContaining('Retry later')])

  isDown = false
  expect(await askEverything()).toEqual(answersWith(200))
})

const pages: readonly BalancerPage[] = [
  { status: 200, text: '<html><title>Maintenance</title></html>' },
  { status: 200, text: '' },
  { status: 404, text: '404 page not found' },
  { status: 429, text: '' },
  { status: 500, text: '<html><title>500 Internal Server Error</title></html>' },
  { status: 502, text: '<html><title>502 Bad Gateway</title></html>' },
  { status: 504, text: 'upstream request timeout' },
  { status: 521, text: 'Web server is down' },
]

it('nothing is acknowledged or answered, and the server is not ready, while a load balancer shows a page', async () => {
  let page: BalancerPage | undefined
  const app = await openBehindBalancer(
    () => page !== undefined,
    () => page ?? { status: 503, text: '' },
  )
  await app.app.ready
  await storeTelemetry(app, app.org, seed)
  const [question] = telemetryQuestions.searchMessages?.(await openQuestions(app, app.org)) ?? []
  const statuses = async () => {
    const found: [string, number][] = []
    for (const [path, body] of drawTelemetry(app.org, seed + 1)) {
      const { status } = await app.send(path, { json: body })
      found.push([path, status])
    }
    const { status } = await app.send(`/api/v1${question?.path}`, { json: question?.body })
    const [ready, alive] = [await fetch(`${app.url}/readyz`), await fetch(`${app.url}/healthz`)]
    return [...found, ['search', status], ['readyz', ready.status], ['healthz', alive.status]]
  }
  const down = [...drawTelemetry(app.org, seed + 1).map(([path]) => [path, 503]), ['search', 503], ['readyz', 503]]
  for (page of pages) expect([page, await statuses()]).toEqual([page, [...down, ['healthz', 200]]])
  page = undefined
  await expect.poll(statuses).toEqual([...down.map(([path]) => [path, 200]), ['healthz', 200]])
})

it.each(pages.slice(1, 3))(
  'a server that starts behind the page $status waits, and starts without it',
  async (page) => {
    let isDown = true
    let requests = 0
    const app = await openBehindBalancer(
      () => isDown,
      () => {
        requests++
        return page
      },
    )
    await expect.poll(() => requests).toBeGreaterThan(1)
    expect((await fetch(`${app.url}/readyz`)).status).toBe(503)
    isDown = false
    await app.app.ready
    await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(200)
  },
)

it('an outage is logged once, however many bodies are refused', async () => {
  let isDown = false
  const app = await openBehindBalancer(() => isDown)
  await app.app.ready
  isDown = true
  const authorization = `Bearer ${await app.token()}`
  const send = async () => {
    for (const [path, body] of drawTelemetry(app.org, seed)) {
      expect((await app.send(path, { json: body })).status).toBe(503)
    }
    expect(await sendGrpc(app.grpcUrl, toProtobuf(exportRequest([1])), { authorization })).toMatchObject({
      code: grpcCodes.unavailable,
    })
  }
  await send()
  await send()
  const logged = app.logLines().filter(({ msg, level }) => level === 'error' || String(msg).includes('telemetry'))
  expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'Could not store telemetry, which senders are asked to send again'],
  ])
})

it('a server that starts while ClickHouse is too busy for its statements waits', async () => {
  let left = 6
  const busy = [
    'Code: 159. DB::Exception: Timeout exceeded: elapsed 30 seconds, maximum: 30. (TIMEOUT_EXCEEDED)',
    'Code: 202. DB::Exception: Too many simultaneous queries. Maximum: 100. (TOO_MANY_SIMULTANEOUS_QUERIES)',
  ]
  const app = await openBehindBalancer(
    () => left > 0,
    () => ({ status: 500, text: busy[left-- % busy.length] ?? '' }),
  )
  await app.app.ready
  expect(left).toBe(0)
})

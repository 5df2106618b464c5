import { randomUUID } from 'node:crypto'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startRemote } from '../clickhouse/remote-engine.ts'
import { openQuestions, type Question, telemetryQuestions } from '../cluster/questions.ts'
import { drawTelemetry, storeTelemetry } from '../cluster/telemetry.ts'
import { connectAgent } from '../mcp/agent.ts'
import { startApp, type TestApp } from '../support/app.ts'

const seed = 1

async function openBehindBalancer(isDown: () => boolean): Promise<TestApp> {
  const { username, password } = inject('engine')
  const CLICKHOUSE_URL = await startRemote(isDown)
  const CLICKHOUSE_DATABASE = `test_${randomUUID().replaceAll('-', '')}`
  const credentials = { CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password }
  const app = await startApp({ env: { CLICKHOUSE_URL, CLICKHOUSE_DATABASE, ...credentials } })
  onTestFinished(() => app.close())
  return app
}

/** Returns path and status of every question, and whether its answer says when to retry. */
async function askAll(app: TestApp, questions: readonly Question[], headers: Record<string, string> = {}) {
  const answers: (readonly [path: string, status: number, canBeRetried: boolean])[] = []
  for (const { path, body } of questions) {
    const response = await app.send(path.startsWith('/tempo/') ? path : `/api/v1${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    answers.push([path, response.status, response.headers.has('retry-after')])
  }
  return answers
}

it('every question gets 503 while only a load balancer responds for ClickHouse, and then its answer', async () => {
  let isDown = false
  const app = await openBehindBalancer(() => isDown)
  await storeTelemetry(app, app.org, seed)
  const about = await openQuestions(app, app.org)
  const questions = Object.values(telemetryQuestions).flatMap((asked) => asked(about))
  const exports = questions.filter(({ path }) => path.endsWith('/export'))
  const agent = await connectAgent(app.url, await app.token())
  const answersWith = (status: number) =>
    [questions, exports, exports].flatMap((asked) => asked.map(({ path }) => [path, status, status === 503]))
  const askEverything = async () => [
    ...(await askAll(app, questions)),
    ...(await askAll(app, exports, { accept: 'text/csv' })),
    ...(await askAll(app, exports, { accept: 'application/x-ndjson' })),
  ]

  isDown = true
  expect(await askEverything()).toEqual(answersWith(503))
  for (const [path, body] of drawTelemetry(app.org, seed)) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await app.send(path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(status, path).toBe(503)
  }
  const search = await agent.call('search')
  expect([search.isError, search.text]).toEqual([true, expect.stringContaining('Retry later')])

  isDown = false
  expect(await askEverything()).toEqual(answersWith(200))
}, 60_000)

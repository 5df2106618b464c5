import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { readDocument } from '../../server/http/contract/document.ts'
import { listOperations } from '../../server/http/contract/operations.ts'
import { until } from '../support/own-engine.ts'
import { openQuestions, type Question, questionsWithoutTelemetry, telemetryQuestions } from './questions.ts'
import { openSpreadApp, type SpreadApp } from './spread-app.ts'
import { drawTelemetry, storeTelemetry } from './telemetry.ts'

const org = `outage-${randomUUID()}`
const seed = Math.floor(Math.random() * 1e9)
let spread: SpreadApp
let questions: readonly Question[]

beforeAll(async () => {
  spread = await openSpreadApp()
  await storeTelemetry(spread.app, org, seed)
  const about = await openQuestions(spread.app, org)
  questions = Object.values(telemetryQuestions).flatMap((questionsOf) => questionsOf(about))
})
afterAll(() => spread?.close())

async function ask({ path, body }: Question): Promise<Response> {
  const address = path.startsWith('/tempo/') ? path : `/api/v1${path}`
  return spread.app.send(address, { json: body, whom: { org, role: 'contributor' } })
}

const questionsAtOnce = 12

async function expectUnavailable(question: Question): Promise<void> {
  const response = await ask(question)
  const { code } = (await response.json()) as { code?: string }
  expect([response.status, code], question.path).toEqual([503, 'unavailable'])
  expect(response.headers.get('retry-after'), question.path).not.toBeNull()
}

/** Sends a few requests at a time: an organization may not send all of them at once. */
async function inTurns<Answer>(
  all: readonly Question[],
  answer: (question: Question) => Promise<Answer>,
  atOnce = questionsAtOnce,
) {
  const answers: Answer[] = []
  for (let first = 0; first < all.length; first += atOnce)
    answers.push(...(await Promise.all(all.slice(first, first + atOnce).map(answer))))
  return answers
}

/** Returns every response, without the time of the request. */
async function allAnswers(): Promise<string[]> {
  const answer = async (question: Question) => {
    const response = await ask(question)
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${question.path}: ${response.status} ${text}`)
    return text.replace(/"next_cursor":"[^"]*"/, '')
  }
  // Few at a time, so that none waits too long for its turn on a busy machine.
  return inTurns(questions, answer, 4)
}

/** Rows of spans and points may be stored again until they merge. */
const countedTables = ['spans FINAL', 'metric_points FINAL', 'log_records']
const rowCounts = () => Promise.all(countedTables.map((table) => spread.rowsByShard(table)))

it('every operation that reads telemetry is covered', () => {
  const reads = /^(get|list|search|count|summarize|preview|query|explain|export(?!Config)|parse|compare)[A-Z]/
  const reading = listOperations(readDocument()).filter(({ isHandled, id }) => isHandled && reads.test(id))
  const covered = [...Object.keys(telemetryQuestions), ...questionsWithoutTelemetry]
  expect(covered.sort()).toEqual(reading.map(({ id }) => id).sort())
})

it('bodies that are sent again through any node count once', async () => {
  const before = await rowCounts()
  const second = await spread.openSecond()
  onTestFinished(() => void second.app.stop())
  for (const app of [second, spread.app]) await storeTelemetry(app, org, seed)
  expect(await rowCounts()).toEqual(before)
})

it('a shard that accepts connections but does not respond is unavailable until it continues', async () => {
  const before = await allAnswers()
  spread.pause(1)
  onTestFinished(() => spread.resume(1))
  const some = questions.filter(({ path }) => /search|query|count/.test(path))
  expect(some.length).toBeGreaterThan(4)
  await inTurns(some, expectUnavailable)
  spread.resume(1)
  expect(await until(() => allAnswers().catch(() => undefined))).toEqual(before)
})

it.each([0, 1])('a server is ready while node %i accepts connections but does not respond', async (shard) => {
  spread.pause(shard)
  onTestFinished(() => spread.resume(shard))
  // A busy machine may take longer than a check waits.
  await expect.poll(async () => (await spread.app.send('/readyz')).status).toBe(200)
})

it.each([0, 1])(
  'without shard %i every question is answered with 503, and when it is back as before',
  async (shard) => {
    const before = await allAnswers()
    await spread.crash(shard)
    // The first request detects the unavailable node; the others go to the remaining one.
    for (let time = 0; time < 2; time++) await inTurns(questions, expectUnavailable)
    await spread.restart(shard)
    expect(await until(() => allAnswers().catch(() => undefined))).toEqual(before)
  },
)

it.each([0, 1])('no body is accepted without shard %i, and a body that is sent again is completed', async (shard) => {
  const late = `late-${randomUUID()}`
  const bodies = drawTelemetry(late, seed)
  await spread.crash(shard)
  for (const [path, body] of bodies) {
    const response = await spread.app.send(path, { json: body, whom: { org: late, role: 'ingest' } })
    expect([response.status, response.headers.get('retry-after')], path).toEqual([503, expect.stringMatching(/^\d+$/)])
    await response.body?.cancel()
  }
  await spread.restart(shard)
  const sendAll = () => storeTelemetry(spread.app, late, seed).then(() => true)
  await until(() => sendAll().catch(() => undefined))
  const stored = ['spans', 'metric_points', 'log_records'].map((table) => rowsOf(table, late))
  expect(await Promise.all(stored)).toEqual(
    await Promise.all(['spans', 'metric_points', 'log_records'].map((table) => rowsOf(table, org))),
  )
})

/** A span that was stored twice counts once in every response, but may still be two rows of the table. */
async function rowsOf(table: string, owner: string): Promise<number> {
  const final = table === 'log_records' ? '' : 'FINAL'
  const query = { text: `SELECT count() AS rows FROM ${table} ${final} WHERE org = {p0:String}`, params: { p0: owner } }
  const { rows } = await spread.app.app.clickhouse.read<{ rows: string }>(query, { for: 'system', label: 'rows' })
  return Number(rows[0]?.rows)
}

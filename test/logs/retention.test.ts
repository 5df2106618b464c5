/** The retention changes from start to start, and the value index hides nothing that is stored. */

import { expect, it } from 'vitest'
import { type EmbeddedApp, startEmbeddedApp } from '../backup/embedded-app.ts'
import { makeLog, toOtlpLogs } from '../support/log-model.ts'
import { column } from '../support/own-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const org = 'acme'
const dayMs = 86_400_000
const nowMs = Date.now()
const ages = [0, 1, 2, 3, 4, 5, 6, 7, 8]
/** An hour after the records of an age expire, and an hour before. */
const offsetsMs = [3_600_000, -3_600_000]
const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0')
const toTime = (ms: number) => new Date(ms).toISOString()
const window = { from: toTime(nowMs - 20 * dayMs), to: toTime(nowMs + dayMs) }
const condition = { attribute_key: 'customer', operator: 'eq', value: 'a' }

/** The times and numbers of the records and messages that one server stores. */
function drawn(server: number, days: number) {
  const times = ages.flatMap((age) => offsetsMs.map((offset) => nowMs - age * dayMs + offset))
  return times
    .map((ms, index) => ({ ms: Math.min(ms, nowMs), number: 1 + server * 100 + index }))
    .filter(({ ms }) => ms > Date.now() - days * dayMs)
}

async function store(app: EmbeddedApp, server: number, days: number): Promise<void> {
  const records = drawn(server, days)
  const logs = records.map(({ ms, number }) =>
    makeLog({
      eventName: String(number),
      timeNs: BigInt(ms) * 1_000_000n,
      attributes: [['customer', { stringValue: 'a' }]],
    }),
  )
  await app.send(org, toOtlpLogs(logs), '/v1/logs')
  const spans = records.map(({ ms, number }) => ({
    traceId: hex(number, 32),
    spanId: hex(number, 16),
    startTimeUnixNano: `${ms}000000`,
    endTimeUnixNano: `${ms}000000`,
    attributes: [{ key: 'customer', value: { stringValue: 'a' } }],
  }))
  await app.send(org, { resourceSpans: [{ scopeSpans: [{ spans }] }] })
}

/** Deletes everything that has expired. */
async function expire({ app: { clickhouse } }: EmbeddedApp): Promise<void> {
  for (const table of ['spans', 'log_records', 'value_index'])
    await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL SETTINGS mutations_sync = 2`)
}

const numbers = (values: readonly unknown[]) => values.map(Number).sort((left, right) => left - right)

async function storedNumbers({ app: { clickhouse } }: EmbeddedApp) {
  const logs = numbers(await column(clickhouse, 'SELECT event_name FROM log_records'))
  return { logs, spans: numbers(await column(clickhouse, 'SELECT toString(span_id) FROM spans FINAL')) }
}

async function foundNumbers({ ask }: EmbeddedApp) {
  const body = { ...window, conditions: [condition], limit: 200 }
  const { items } = (await ask({ org, path: '/logs/search', body })) as { items: { event_name: string }[] }
  const search = { ...window, rows: [condition], limit: 200 }
  const page = (await ask({ org, path: '/messages/search', body: search })) as { messages: { trace_id: string }[] }
  return {
    logs: numbers(items.map(({ event_name }) => event_name)),
    spans: numbers(page.messages.map(({ trace_id }) => `0x${trace_id}`)),
  }
}

/** Expects searches to find all that is stored. Some of it may expire meanwhile. */
async function expectStored(app: EmbeddedApp): Promise<void> {
  const before = await storedNumbers(app)
  const found = await foundNumbers(app)
  const after = await storedNumbers(app)
  for (const kind of ['logs', 'spans'] as const) {
    expect(after[kind].length).toBeGreaterThan(0)
    expect(found[kind]).toEqual(expect.arrayContaining(after[kind]))
    expect(before[kind]).toEqual(expect.arrayContaining(found[kind]))
  }
}

it('every search finds what is stored, while the retention shrinks and grows from start to start', async () => {
  const dataDir = temporaryFolder()
  const modes = ['always', 'off', 'auto', 'always', 'always', 'always', 'auto']
  for (const [server, days] of [undefined, 6, 3, 7, undefined, 2, 20].entries()) {
    const env = { VALUE_INDEX: modes[server] ?? 'always', SPAN_AGE_DAYS_MAX: '30' }
    const app = await startEmbeddedApp(dataDir, days === undefined ? env : { ...env, RETENTION_DAYS: String(days) })
    await store(app, server, days ?? 30)
    if (server % 2 === 0) await expire(app)
    await expectStored(app)
    await expire(app)
    await expectStored(app)
    await app.stop()
  }
})

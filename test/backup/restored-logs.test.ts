/** Searches of restored log records for rare values, before, during and after a backfill of the value index. */
import { expect, it } from 'vitest'
import { backfillEverything } from '../support/indexed-values.ts'
import { makeLog, toOtlpLogs } from '../support/log-model.ts'
import { column } from '../support/own-engine.ts'
import { runCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type EmbeddedApp, startEmbeddedApp } from './embedded-app.ts'

const org = 'acme'
const customers = ['a', 'b', 'c', 'none']
const days = [0, 1, 2]
const dayNs = 86_400n * 1_000_000_000n
const nowNs = BigInt(Date.now()) * 1_000_000n
const timeOf = (day: number) => nowNs - BigInt(day) * dayNs - 1_000_000_000n
const toTime = (ns: bigint) => new Date(Number(ns / 1_000_000n)).toISOString()
const window = { from: toTime(nowNs - 9n * dayNs), to: toTime(nowNs + dayNs) }

/** Returns a record of each customer but the last one for each day, and one without a time. */
function recordsOf(server: string) {
  const named = (name: string, customer: string, timeNs: bigint) =>
    makeLog({ eventName: `${server} ${name}`, timeNs, attributes: [['customer', { stringValue: customer }]] })
  const timed = days.flatMap((day) =>
    customers.slice(0, -1).map((customer) => named(`${customer}${day}`, customer, timeOf(day))),
  )
  return toOtlpLogs([...timed, named('timeless', 'a', 0n)])
}

/** Returns the names of the records of a customer, by pages of two. */
async function namesOf({ ask }: EmbeddedApp, customer: string): Promise<string[]> {
  const conditions = [{ attribute_key: 'customer', operator: 'eq', value: customer }]
  const names: string[] = []
  let cursor: string | null = null
  do {
    const body: object = { ...window, conditions, limit: 2, cursor }
    const page = (await ask({ org, path: '/logs/search', body })) as Page
    names.push(...page.items.map(({ event_name }) => event_name))
    cursor = page.next_cursor
  } while (cursor !== null)
  return names.sort()
}

interface Page {
  readonly items: readonly { readonly event_name: string }[]
  readonly next_cursor: string | null
}

async function expectAll(app: EmbeddedApp, servers: readonly string[]): Promise<void> {
  for (const customer of customers) {
    const named = days.map((day) => `${customer}${day}`)
    const names = customer === 'none' ? [] : customer === 'a' ? [...named, 'timeless'] : named
    expect(await namesOf(app, customer)).toEqual(servers.flatMap((server) => names.map((name) => `${server} ${name}`)))
  }
}

/** Makes the tables those of the version before, which had no entries of log records. */
async function goBack({ app: { clickhouse } }: EmbeddedApp): Promise<void> {
  await clickhouse.command('ALTER TABLE log_records DROP INDEX is_indexed_minmax')
  await clickhouse.command('ALTER TABLE log_records DROP COLUMN is_indexed')
  await clickhouse.command(`DELETE FROM schema_migrations WHERE name LIKE '0010%'`)
}

const unindexed = ({ app: { clickhouse } }: EmbeddedApp) =>
  column(clickhouse, 'SELECT toUInt32(countIf(is_indexed = 0)) FROM log_records')

it.each([
  ['this version', 'always', async () => {}],
  ['the version before', 'off', goBack],
] as const)(
  'restored log records of %s are found, while a backfill is stopped, killed and completed',
  async (_, VALUE_INDEX, change) => {
    const target = temporaryFolder()
    const source = await startEmbeddedApp(temporaryFolder(), { VALUE_INDEX })
    await source.send(org, recordsOf('first'), '/v1/logs')
    await expectAll(source, ['first'])
    await change(source)
    expect(await runCommand(['backup', target, '--data-dir', source.dataDir])).toMatchObject({ code: 0 })
    await source.stop()

    const dataDir = temporaryFolder()
    expect(await runCommand(['restore', target, '--data-dir', dataDir])).toMatchObject({ code: 0 })
    for (const mode of ['off', 'auto']) {
      const app = await startEmbeddedApp(dataDir, { VALUE_INDEX: mode })
      await expectAll(app, ['first'])
      await app.stop()
    }

    const restored = await startEmbeddedApp(dataDir, { VALUE_INDEX: 'always' })
    const { clickhouse } = restored.app
    expect(await unindexed(restored)).toEqual([10])
    await restored.send(org, recordsOf('second'), '/v1/logs')
    await expectAll(restored, ['first', 'second'])

    const stopping = new AbortController()
    const onProgress = (done: number) => done > 0 && stopping.abort()
    await expect(backfillEverything(clickhouse, { signal: stopping.signal, onProgress })).rejects.toThrow('aborted')
    await expectAll(restored, ['first', 'second'])

    // The engine ends after the entries of the second day were stored, and before it notes that they are.
    const { command } = clickhouse
    let marks = 0
    clickhouse.command = async (text, params) => {
      if (text.includes('ALTER TABLE log_records UPDATE') && ++marks === 2)
        process.kill(restored.enginePid(), 'SIGKILL')
      await command.call(clickhouse, text, params)
    }
    await expect(backfillEverything(clickhouse)).rejects.toThrow()
    clickhouse.command = command
    await expect.poll(() => clickhouse.ping()).toBe(true)
    const [left] = await unindexed(restored)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(11)
    await expectAll(restored, ['first', 'second'])

    expect(await backfillEverything(clickhouse)).toBeGreaterThanOrEqual(Number(left))
    expect(await unindexed(restored)).toEqual([0])
    await expectAll(restored, ['first', 'second'])
  },
)

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importExporterTable } from '../../server/cli/import/exporter/exporter-import.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { fuzzSettings } from '../support/fuzz-settings.ts'
import { seededRandom } from '../support/random-source.ts'
import { createImporter } from './exporter-importer.ts'
import { createExporterDatabase, type ExporterDatabase, insertLogs, insertSpans } from './exporter-tables.ts'

const nowSeconds = Math.floor(Date.now() / 1_000)

let app: TestApp
let source: ExporterDatabase
beforeAll(async () => {
  app = await startApp()
  source = await createExporterDatabase(app)
})
afterAll(async () => {
  await source.drop()
  await app.close()
})

const importer = (table: string, ...more: string[]) => createImporter(app, source, table, ...more)

it('a crash after the server stored a request, and before that was recorded, doubles no log record', async () => {
  await source.command('TRUNCATE TABLE otel_logs')
  await source.command(insertLogs(0, 2_000, nowSeconds))
  // Two equal records are two records.
  await source.command(insertLogs(0, 3, nowSeconds))
  const { token, stateDir, run, logs } = await importer('otel_logs')
  for (const crashAt of [1, 1, 2, 3]) {
    const crash = new AbortController()
    let requests = 0
    const exit = await importExporterTable(
      {
        url: app.url,
        token,
        concurrency: 1,
        batchBytes: 40_000,
        retrySeconds: 5,
        resume: false,
        stateDir,
        quiet: true,
        json: false,
        fromClickhouse: source.address,
        table: 'otel_logs',
        follow: false,
        pollSeconds: 1,
        lateMinutes: 60,
      },
      {
        stdin: (async function* () {})(),
        stdout: process.stderr,
        stderr: Object.assign(Object.create(process.stderr), { isTTY: false, write: () => true }),
        clock: () => performance.now(),
        signal: crash.signal,
        async fetch(url, init) {
          const response = await fetch(url, { ...init, signal: null })
          if (++requests < crashAt) return response
          crash.abort()
          throw new Error('crashed')
        },
      },
    )
    expect(exit).toBe('interrupted')
  }
  expect((await run()).code).toBe(0)
  expect(await logs()).toEqual({ stored: 2_003, distinct: 2_000 })
})

const random = seededRandom(fuzzSettings.seed)
const killsOfEach = 5

/** The tables of both signals: how rows are inserted, given the number of the first, and how they are counted. */
const signals = {
  otel_traces: { insert: insertSpans, stored: 'spans' },
  otel_logs: { insert: insertLogs, stored: 'logs' },
} as const
type Signal = keyof typeof signals

it.each(Object.keys(signals) as Signal[])(
  `killed with -9 at random moments, an import of %s loses and doubles nothing (seed ${fuzzSettings.seed})`,
  async (table) => {
    const { insert, stored } = signals[table]
    await source.command(`TRUNCATE TABLE ${table}`)
    await source.command(insert(0, 6_000, nowSeconds))
    const { start, run, sequence, ...counts } = await importer(table, '--batch-bytes', '20000')
    for (let kills = 0; kills < killsOfEach; kills++) {
      const before = sequence()
      const running = start()
      const ended = running.ended.then(() => true)
      const requests = 1 + random.below(5)
      while (sequence() < before + requests && !(await Promise.race([ended, sleep(5)]))) {}
      await sleep(random.below(30))
      running.kill('SIGKILL')
      await running.ended
    }
    expect((await counts[stored]()).stored).toBeLessThan(6_000)
    expect((await run()).code).toBe(0)
    expect(await counts[stored]()).toEqual({ stored: 6_000, distinct: 6_000 })
  },
)

it.each(Object.keys(signals) as Signal[])(
  `following %s, killed with -9 at random moments, sends late rows once each (seed ${fuzzSettings.seed})`,
  async (table) => {
    const { insert, stored } = signals[table]
    await source.command(`TRUNCATE TABLE ${table}`)
    await source.command(insert(0, 500, nowSeconds))
    // Longer than the hour by which rows are late, because an insert takes time.
    const following = ['--follow', '--poll-seconds', '1', '--late-minutes', '90']
    const { start, ...counts } = await importer(table, ...following, '--batch-bytes', '40000')
    const count = counts[stored]
    let inserted = 500
    for (let kills = 0; kills < killsOfEach; kills++) {
      const running = start()
      for (let part = 0; part < 4; part++) {
        // The times are up to an hour before now, so most rows come later than rows with later times.
        await source.command(insert(inserted, 150, Math.floor(Date.now() / 1_000)))
        inserted += 150
        await sleep(200 + random.below(500))
      }
      running.kill('SIGKILL')
      await running.ended
    }
    const running = start()
    await expect.poll(async () => (await count()).stored, { timeout: 120_000 }).toBeGreaterThanOrEqual(inserted)
    // Two equal log records are two records; a span is known by its ids.
    const equal = table === 'otel_logs' ? 2 : 0
    if (equal > 0) await source.command(insert(0, equal, nowSeconds))
    await expect.poll(async () => (await count()).stored, { timeout: 120_000 }).toBeGreaterThanOrEqual(inserted + equal)
    await sleep(2_500)
    running.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toContain('Run the same command to continue.')
    expect(await count()).toEqual({ stored: inserted + equal, distinct: inserted })
  },
)

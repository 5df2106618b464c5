import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'

const aheadMs = 600_000

let postgres: Postgres
let ahead: TestApp
let right: TestApp
beforeAll(async () => {
  postgres = await startPostgres()
  const start = async (now?: () => Date) =>
    startApp({
      env: { METADATA_URL: await postgres.createDatabase(), SECRETS_KEY: '7'.repeat(64) },
      ...(now === undefined ? {} : { overrides: { now } }),
    })
  ahead = await start(() => new Date(Date.now() + aheadMs))
  right = await start()
})
afterAll(async () => {
  await Promise.all([ahead.close(), right.close()])
  await postgres.remove()
})

async function secondsAhead({ url }: TestApp): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const found = text.matchAll(/^tracefold_clock_ahead_seconds\{store="(\w+)"\} (.*)$/gm)
  return Object.fromEntries([...found].map(([, store = '', value]) => [store, Number(value)]))
}

const storesOf = async (app: TestApp) => Object.keys(await secondsAhead(app)).sort()

it('a server whose clock is ahead of those of its stores logs it once, with the difference', async () => {
  await expect.poll(() => storesOf(ahead), { timeout: 30_000 }).toEqual(['clickhouse', 'metadata'])
  const lines = ahead.logLines().filter(({ msg }) => String(msg).startsWith('The clock of this server differs'))
  expect(lines.map(({ store }) => store).sort()).toEqual(['clickhouse', 'metadata'])
  for (const seconds of [...lines.map((line) => line.aheadSeconds), ...Object.values(await secondsAhead(ahead))]) {
    expect(seconds).toBeGreaterThan(590)
    expect(seconds).toBeLessThanOrEqual(600)
  }
})

it('a server whose clock agrees with those of its stores logs nothing about it', async () => {
  await expect.poll(() => storesOf(right), { timeout: 30_000 }).toEqual(['clickhouse', 'metadata'])
  expect(right.logLines().filter(({ msg }) => String(msg).includes('clock'))).toEqual([])
  for (const seconds of Object.values(await secondsAhead(right))) expect(Math.abs(seconds)).toBeLessThan(1)
})

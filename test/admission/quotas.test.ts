import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { TokenBuckets } from '../../server/admission/token-buckets.ts'
import { UsageReadings } from '../../server/admission/usage-readings.ts'
import { startApp } from '../support/app.ts'
import { request, span } from '../support/otlp-json.ts'

/** A clock that stands still until it is moved. */
function clock() {
  let ms = Date.now()
  return {
    now: () => new Date(ms),
    move(seconds: number) {
      ms += seconds * 1_000
    },
  }
}

it('a bucket saves ten seconds of its rate, and tells when it has a token again', () => {
  const time = clock()
  const buckets = new TokenBuckets(5, time.now)
  buckets.take('a', 49)
  expect(buckets.waitSeconds('a')).toBe(0)
  buckets.take('a', 51)
  expect(buckets.waitSeconds('a')).toBe(10)
  expect(buckets.waitSeconds('b')).toBe(0)
  time.move(11)
  expect(buckets.waitSeconds('a')).toBe(0)
  time.move(1_000)
  buckets.take('a', 50)
  expect(buckets.waitSeconds('a')).toBe(1)
})

it('a clock that is set back adds and removes no tokens', () => {
  const time = clock()
  const buckets = new TokenBuckets(1, time.now)
  buckets.take('a', 10)
  time.move(-1_000)
  expect(buckets.waitSeconds('a')).toBe(1)
  time.move(2)
  expect(buckets.waitSeconds('a')).toBe(0)
})

it('full buckets of many organizations are dropped, and others are kept', () => {
  const time = clock()
  const buckets = new TokenBuckets(1, time.now)
  buckets.take('empty', 100)
  buckets.take('used', 8)
  for (let org = 0; org < 5_000; org++) buckets.waitSeconds(`org-${org}`)
  expect(buckets.waitSeconds('empty')).toBe(90)
  buckets.take('used', 3)
  expect(buckets.waitSeconds('used')).toBe(1)
})

it('what an organization has stored is read again after 15 seconds, and when the clock was set back', async () => {
  const time = clock()
  let reads = 0
  const read = async () => ({ amount: ++reads })
  const usage = new UsageReadings({ read, now: time.now, outages: { succeeded() {}, failed() {} } })
  // Only the first reading is waited for, so each next question gets what the last one has asked for.
  const ask = async () => (await usage.of('acme'))?.amount
  expect([await ask(), await ask()]).toEqual([1, 1])
  time.move(14)
  expect([await ask(), await ask()]).toEqual([1, 1])
  time.move(1)
  expect([await ask(), await ask()]).toEqual([1, 2])
  time.move(-15)
  expect([await ask(), await ask()]).toEqual([2, 3])
})

async function startLimited(env: Record<string, string>) {
  const time = clock()
  const app = await startApp({ env, overrides: { now: time.now } })
  onTestFinished(() => app.close())
  return { ...app, time }
}

it('requests beyond ORG_REQUESTS_PER_SECOND get 429 that names the quota, and those of others do not', async () => {
  const app = await startLimited({ ORG_REQUESTS_PER_SECOND: '1' })
  for (let sent = 0; sent < 10; sent++) expect((await app.send('/api/v1/me')).status).toBe(200)
  const refused = await app.send('/api/v1/me')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe('1')
  expect(await refused.json()).toMatchObject({
    code: 'quota_exceeded',
    detail: 'Your organization exceeds its quota of 1 requests per second. Retry later.',
  })
  expect((await app.send('/v1/traces', { json: request(span()) })).status).toBe(429)
  expect((await app.send('/api/v1/me', { whom: { org: 'another' } })).status).toBe(200)
  app.time.move(2)
  expect((await app.send('/api/v1/me')).status).toBe(200)
  expect(await (await fetch(`${app.url}/metrics`)).text()).toContain(
    'tracefold_quota_refusals_total{quota="requests"} 2',
  )
})

it('telemetry beyond ORG_ITEMS_PER_SECOND gets 429 that names the quota until the rate allows it', async () => {
  const app = await startLimited({ ORG_ITEMS_PER_SECOND: '2' })
  const json = request(...Array.from({ length: 24 }, () => span()))
  const post = () => app.send('/v1/traces', { json })
  expect((await post()).status).toBe(200)
  const refused = await post()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe('2')
  expect(await refused.json()).toMatchObject({ code: 8, message: expect.stringContaining('2 spans, data points') })
  expect((await app.send('/api/v1/me')).status).toBe(200)
  app.time.move(3)
  expect((await post()).status).toBe(200)
})

it('records of any kind beyond ORG_RECORDS_MAX are refused with the quota, and those of others are not', async () => {
  const app = await startLimited({ ORG_RECORDS_MAX: '2' })
  const create = (path: string, body: object, org = app.org) => app.send(path, { json: body, whom: { org } })
  expect((await create('/api/v1/integrations', { name: 'one' })).status).toBe(201)
  expect((await create('/api/v1/api-keys', { name: 'two', role: 'ingest' })).status).toBe(201)
  for (const refused of [
    await create('/api/v1/integrations', { name: 'three' }),
    await create('/api/v1/api-keys', { name: 'three', role: 'ingest' }),
  ]) {
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      detail: 'Your organization has reached its quota of 2 records. Delete one first.',
    })
  }
  expect((await create('/api/v1/integrations', { name: 'one' }, 'another')).status).toBe(201)
})

it('an import is refused by ORG_RECORDS_MAX only if its result exceeds it', async () => {
  const app = await startLimited({ ORG_RECORDS_MAX: '5' })
  const replace = async (integrations: number, views: number, org = app.org) => {
    const named = (length: number, word: string) => Array.from({ length }, (_, n) => ({ name: `${word} ${n}` }))
    const response = await app.send('/api/v1/config/import?mode=replace', {
      json: {
        format_version: 1,
        integrations: named(integrations, 'integration'),
        saved_views: named(views, 'view'),
      },
      whom: { org },
    })
    return [response.status, ((await response.json()) as { detail?: string }).detail]
  }
  const refused = [422, 'Your organization has reached its quota of 5 records. Delete one first.']
  expect(await replace(4, 1)).toEqual([200, undefined])
  expect(await replace(5, 0)).toEqual([200, undefined])
  expect(await replace(5, 1)).toEqual(refused)
  expect(await replace(0, 6)).toEqual(refused)
  expect(await replace(1, 4)).toEqual([200, undefined])
  // As if the quota had been higher: there are nine records.
  expect(await replace(0, 4, 'another')).toEqual([200, undefined])
  const { db } = app.app.metadata
  const moved = { org: app.org, name: sql<string>`name || ' moved'` }
  await db.updateTable('saved_views').set(moved).where('org', '=', 'another').execute()
  expect(await replace(2, 6)).toEqual([200, undefined])
  expect(await replace(3, 6)).toEqual(refused)
})

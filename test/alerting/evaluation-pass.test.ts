import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evaluationLease } from '../../server/alerting/evaluation/evaluation-schedule.ts'
import { LeaseLost } from '../../server/alerting/evaluation/evaluation-store.ts'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { remoteSource } from '../../server/clickhouse/endpoint.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { createLeases, leaseMsDefault } from '../../server/metadata/lease.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { authorIn } from '../support/author.ts'
import { seedChannel } from '../support/channel-seed.ts'
import { makePoint, makeSeries, toOtlpMetrics } from '../support/metric-model.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { describeStores } from '../support/stores.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Evaluator, openEvaluator } from './evaluator.ts'
import { watchOrg } from './watched-org.ts'

const unreachable = 'http://127.0.0.1:1'
const minuteMs = 60_000

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

describeStores('one evaluation pass', (newStore) => {
  /** Opens an evaluator whose organization has one recent failed span of service `checkout`. */
  async function evaluator(): Promise<Evaluator> {
    const opened = await openEvaluator(newStore, app.app.clickhouse)
    const token = await app.token({ org: opened.org })
    await watchOrg({ url: app.url, token }).sendTraces('checkout:pay !declined')
    return opened
  }
  const statusOf = async (of: Evaluator, rule: { org: string; id: string }) =>
    (await of.rules.find(rule, rule.id))?.state.status
  const events = async ({ metadata }: Evaluator) =>
    (await metadata.db.selectFrom('deliveries').select(['event', 'state']).orderBy('id').execute()).map(
      ({ event, state }) => `${event} ${state}`,
    )

  it('a rule that cannot be read has an error, and does not affect rules of the same scan', async () => {
    const of = await evaluator()
    const sound = [await of.addRule(), await of.addRule({ service: 'checkout' }), await of.addRule()]
    // An invalid pattern, as an earlier version could have stored it.
    const conditions = [{ attribute_key: 'a', operator: 'matches' as const, value: '(' }]
    const bad = await of.addRule({ conditions })
    const more = [await of.addRule(), await of.addRule({ service: 'unknown' })]
    for (const pass of [1, 2]) {
      await of.pass()
      const states = await Promise.all([...sound, ...more].map((rule) => statusOf(of, rule)))
      expect([pass, ...states]).toEqual([pass, 'firing', 'firing', 'firing', 'firing', 'ok'])
      const { state } = (await of.read(bad)) ?? bad
      expect(state).toMatchObject({ status: 'ok', value: null, evaluatedAt: expect.any(String) })
      expect(state.lastError).toMatch(/regular expression/i)
    }
    expect(of.messages()).toEqual(['Could not evaluate an alert rule'])
    expect(
      await of.rules.replace(authorIn(of.org), (await of.read(bad)) ?? bad, { ...bad.content, conditions: [] }),
    ).toBeDefined()
    await of.pass()
    expect((await of.read(bad))?.state).toMatchObject({ status: 'firing', lastError: null })
  })

  it('a rule that changes or is deleted during its evaluation is not overwritten and not notified', async () => {
    const of = await evaluator()
    const channel = await seedChannel(of.metadata, { dataDir: temporaryFolder() }, of.org, { url: 'http://a.example' })
    const withChannel = { channel_ids: [channel] }
    const [changed, deleted, kept] = [
      await of.addRule(withChannel),
      await of.addRule(withChannel),
      await of.addRule(withChannel),
    ]
    of.meanwhile = async () => {
      of.meanwhile = async () => {}
      await of.rules.replace(authorIn(of.org), changed, { ...changed.content, threshold: 10 })
      await of.rules.remove(authorIn(of.org), deleted)
    }
    await of.pass()
    expect((await of.read(changed))?.state).toMatchObject({ status: 'ok', evaluatedAt: null })
    expect([await of.read(deleted), await statusOf(of, kept)]).toEqual([undefined, 'firing'])
    expect(await events(of)).toEqual(['firing pending'])
    await of.pass()
    expect((await of.read(changed))?.state).toMatchObject({ status: 'ok', value: 1 })
  })

  it('a server that lost its lease writes nothing', async () => {
    const of = await evaluator()
    const rule = await of.addRule()
    const lease = await of.leases.acquire(evaluationLease)
    const later = () => new Date(Date.now() + 2 * leaseMsDefault)
    const others = createLeases({ metadata: of.metadata, holder: 'another', now: later })
    of.meanwhile = () => others.acquire(evaluationLease)
    await expect(of.pass(lease && { lease })).rejects.toThrow(LeaseLost)
    expect((await of.read(rule))?.state).toEqual(rule.state)
  })

  it('a rule whose query is cancelled has no error, and is evaluated by the next pass', async () => {
    const of = await evaluator()
    const rule = await of.addRule()
    await expect(of.pass({ signal: AbortSignal.abort() })).rejects.toThrow()
    expect((await of.read(rule))?.state).toEqual(rule.state)
    await of.pass()
    expect(await statusOf(of, rule)).toBe('firing')
  })

  it('while ClickHouse is unavailable, rules have an error and keep their state; then they continue', async () => {
    const of = await evaluator()
    const [passed, other] = [await of.addRule(), await of.addRule({ threshold: 5 })]
    await of.pass()
    const { querySecondsMax, queryMemoryBytesMax, queryRowsMax, queriesConcurrentMax } = app.config.limits
    const limits = { querySecondsMax, queryMemoryBytesMax, queryRowsMax, queriesConcurrentMax }
    const clickhouse = openClickHouse({
      source: remoteSource({ url: unreachable }),
      database: 'none',
      limits,
      logger: silentLogger,
    })
    for (const _ of [1, 2]) await of.pass({ clickhouse })
    await clickhouse.close()
    expect(of.messages()).toEqual(['Could not evaluate alert rules, which keep their states'])
    const lastError = expect.stringContaining('telemetry store')
    expect((await of.read(passed))?.state).toMatchObject({ status: 'firing', value: 1, lastError })
    expect((await of.read(other))?.state).toMatchObject({ status: 'ok', value: 1, lastError })
    await of.pass()
    expect((await of.read(passed))?.state).toMatchObject({ status: 'firing', lastError: null })
    expect((await of.metadata.db.selectFrom('alerts').select('id').execute()).length).toBe(1)
  })

  it('rules of one organization that take long do not delay those of another', async () => {
    const of = await evaluator()
    const rule = await of.addRule()
    const slow = await of.rules.insert(authorIn(`slow-${of.org}`), { ...rule.content, name: 'slow' })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { clickhouse } = app.app
    const queriedOrgs: string[] = []
    const source: ClickHouse = {
      ...clickhouse,
      read: async (query, options) => {
        const org = options.for === 'system' ? '' : options.for.org
        queriedOrgs.push(org)
        if (org === slow.org) await held
        return clickhouse.read(query, options)
      },
    }
    const first = of.pass({ clickhouse: source })
    for (const revision of [1, 2]) {
      await vi.waitFor(async () => expect((await of.read(rule))?.revision).toBe(rule.revision + revision), 60_000)
      if (revision === 1) await of.pass({ clickhouse: source })
    }
    expect((await of.read(slow))?.revision).toBe(slow.revision)
    release()
    await first
    expect((await of.read(slow))?.revision).toBe(slow.revision + 1)
    expect(queriedOrgs.filter((org) => org === slow.org)).toHaveLength(1)
  })

  it('a pass without time left reads one batch, that which was evaluated the longest time ago', async () => {
    const of = await openEvaluator(newStore, app.app.clickhouse, 0)
    // Rules are read together if their windows have the same length.
    const [short, long] = [await of.addRule({ window_s: 60 }), await of.addRule({ window_s: 300 })]
    const passAt = async (minute: number) => {
      of.now = () => new Date(Date.UTC(2026, 2, 1, 9, minute))
      await of.pass()
    }
    const minutes = async (...rules: (typeof short)[]) => {
      const read = await Promise.all(rules.map((rule) => of.read(rule)))
      return read.map((rule) => rule?.state.evaluatedAt?.slice(14, 16) ?? 'never')
    }
    await passAt(1)
    const first = await minutes(short, long)
    expect(first.toSorted()).toEqual(['01', 'never'])
    await passAt(2)
    expect((await minutes(short, long)).toSorted()).toEqual(['01', '02'])
    const isShortFirst = first[0] === '01'
    const added = await of.addRule({ window_s: isShortFirst ? 300 : 60 })
    await passAt(3)
    expect(await minutes(isShortFirst ? long : short, added)).toEqual(['03', '03'])
    await passAt(4)
    expect(await minutes(isShortFirst ? short : long, added)).toEqual(['04', '03'])
  })

  it('metric rules of one organization are read at once, and one that fails does not affect the others', async () => {
    const of = await evaluator()
    const metric = { kind: 'metric', metric: 'queue.length', measure: 'avg' } as const
    const conditions = [{ attribute_key: 'a', operator: 'matches' as const, value: '(' }]
    const [first, bad, last] = [
      await of.addRule(metric),
      await of.addRule({ ...metric, conditions }),
      await of.addRule(metric),
    ]
    const { clickhouse } = app.app
    let reads = 0
    const source: ClickHouse = {
      ...clickhouse,
      read: async (query, options) => {
        reads += 1
        await vi.waitFor(() => expect(reads).toBeGreaterThan(1), 60_000)
        return clickhouse.read(query, options)
      },
    }
    await of.pass({ clickhouse: source })
    const errors = [first, bad, last].map(async (rule) => (await of.read(rule))?.state)
    expect(await Promise.all(errors)).toMatchObject([
      { status: 'no_data', lastError: null },
      { status: 'ok', lastError: expect.stringMatching(/regular expression/i) },
      { status: 'no_data', lastError: null },
    ])
  })

  it('a rule is evaluated once in a period, and again after the clock was set back', async () => {
    const of = await evaluator()
    const rule = await of.addRule()
    const nowMs = Date.now()
    of.now = () => new Date(nowMs)
    await of.pass({ sinceMs: nowMs })
    const first = (await of.read(rule))?.revision
    await of.pass({ sinceMs: nowMs })
    expect((await of.read(rule))?.revision).toBe(first)
    of.now = () => new Date(nowMs - minuteMs)
    await of.pass({ sinceMs: nowMs - minuteMs })
    // By that clock, the span is in the future.
    expect((await of.read(rule))?.state).toMatchObject({ status: 'ok', value: 0 })
    const [alert] = await of.metadata.db.selectFrom('alerts').selectAll().execute()
    expect(alert?.resolved_at).toBe(alert?.started_at)
  })

  it('a notification is sent without the details of its service if they cannot be read', async () => {
    const of = await evaluator()
    const channel = await seedChannel(of.metadata, { dataDir: temporaryFolder() }, of.org, { url: 'http://a.example' })
    await of.addRule({ service: 'checkout', channel_ids: [channel] })
    const { clickhouse } = app.app
    const source: ClickHouse = {
      ...clickhouse,
      read: async (query, options) => {
        if (options.label === 'resources of services') throw new Error('The query was killed.')
        return clickhouse.read(query, options)
      },
    }
    await of.pass({ clickhouse: source })
    const [sent] = await of.metadata.db.selectFrom('deliveries').select('context').execute()
    const unread = { name: 'checkout', span_count: null, error_count: null, facets: [], metadata: {} }
    expect(JSON.parse(sent?.context ?? '')).toMatchObject({ alert: { state: 'firing' }, service: unread })
    expect(of.messages()).toEqual(['Could not read the services of alerts for their notifications'])
  })

  it('a notification of a metric rule is sent without the unit if that cannot be read', async () => {
    const of = await evaluator()
    const channel = await seedChannel(of.metadata, { dataDir: temporaryFolder() }, of.org, { url: 'http://a.example' })
    const points = [makePoint({ timeNs: BigInt(Date.now() - 1_000) * 1_000_000n, value: 7n })]
    const json = toOtlpMetrics([makeSeries({ metric: 'queue.length', unit: '{item}', points })])
    expect((await app.send('/v1/metrics', { json, whom: { org: of.org } })).status).toBe(200)
    await of.addRule({ kind: 'metric', metric: 'queue.length', measure: 'max', channel_ids: [channel] })
    const { clickhouse } = app.app
    let reads = 0
    const source: ClickHouse = {
      ...clickhouse,
      read: async (query, options) => {
        reads += 1
        // The first two read the value.
        if (reads === 3) throw new Error('The query was killed.')
        return clickhouse.read(query, options)
      },
    }
    await of.pass({ clickhouse: source })
    const [sent] = await of.metadata.db.selectFrom('deliveries').select('context').execute()
    const check = { metric: 'queue.length', value: 7, threshold: 0, unit: '' }
    expect(JSON.parse(sent?.context ?? '')).toMatchObject({ alert: { state: 'firing' }, check })
    expect(of.messages()).toEqual(['Could not read the unit of a metric for a notification'])
  })

  it('an alert is recorded without channels, and the delivery to a disabled channel is skipped', async () => {
    const of = await evaluator()
    const seed = { url: 'http://a.example', disabledReason: 'by_user' } as const
    const channel = await seedChannel(of.metadata, { dataDir: temporaryFolder() }, of.org, seed)
    await of.addRule()
    await of.addRule({ channel_ids: [channel] })
    await of.pass()
    expect((await of.metadata.db.selectFrom('alerts').select('state').execute()).length).toBe(2)
    expect(await events(of)).toEqual(['firing skipped'])
  })
})

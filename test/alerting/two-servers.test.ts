import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../support/postgres.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { startServerProcess, tokenFor } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { unusedPort } from '../support/unused-port.ts'
import { openEngineProxy } from './engine-proxy.ts'
import { type WatchedOrg, watchOrg } from './watched-org.ts'

/** How long servers are restarted. CI sets a longer time. */
const seconds = Number(process.env.REPLICAS_SECONDS ?? 15)
const rules = 4
const settledMsMax = 90_000
/** Longer than the test takes, because it counts all spans that it has sent. */
const windowS = 3_600
const pauseMs = 1_000
const restartsMin = 2
/** Which server ends by which signal, in this order. */
const ends = [
  [0, 'SIGKILL'],
  [1, 'SIGTERM'],
  [1, 'SIGKILL'],
  [0, 'SIGTERM'],
] as const

interface Servers {
  /** Sends a request to each server in turn until one of them is available. */
  send(request: Request): Promise<Response>
  /** Ends one server after the other, by SIGKILL and SIGTERM in turn, and restarts it. */
  restartFor(ms: number): Promise<void>
}

async function startTwo(dataDir: string): Promise<Servers> {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const { env: engine } = await openEngineProxy()
  const env = {
    ...engine,
    METADATA_URL: await postgres.createDatabase(),
    SECRETS_KEY: '7'.repeat(64),
    ALERT_PERIOD_SECONDS: '1',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    DRAIN_SECONDS_MAX: '2',
  }
  const start = (port: number) => startServerProcess({ dataDir, env, port })
  const ports = [await unusedPort(), await unusedPort()]
  const servers = await Promise.all(ports.map(start))
  const urls = servers.map(({ url }) => url)
  return {
    async send(request) {
      const { pathname, search } = new URL(request.url)
      const body = await request.text()
      const init = { method: request.method, headers: request.headers, ...(body !== '' && { body }) }
      for (let tries = 0; ; tries += 1) {
        const answer = await fetch(`${urls[tries % 2]}${pathname}${search}`, init).catch(() => undefined)
        if (answer !== undefined && answer.status !== 503) return answer
        await sleep(50)
      }
    },
    async restartFor(ms) {
      const endMs = Date.now() + ms
      for (let restarts = 0; restarts < restartsMin || Date.now() < endMs; restarts += 1) {
        const [index, signal] = ends[restarts % ends.length] ?? ends[0]
        await servers[index]?.end(signal)
        servers[index] = await start(ports[index] as number)
        await sleep(pauseMs)
      }
    },
  }
}

/** Makes a rule fire and resolve repeatedly, and returns the number of alerts that must exist. */
async function alternate(org: WatchedOrg, ruleId: string, service: string, isOver: () => boolean): Promise<number> {
  let alerts = 0
  const until = (status: string) =>
    expect
      .poll(async () => (await org.rule(ruleId)).state.status, { timeout: settledMsMax, interval: 100 })
      .toBe(status)
  const spans = { good: 0, bad: 0 }
  while (!isOver() || alerts === 0) {
    const bad = spans.good - spans.bad + 1
    await org.sendTraces(Array(bad).fill(`${service}:step !broken`).join('\n---\n'))
    spans.bad += bad
    await until('firing')
    const good = spans.bad - spans.good + 1
    await org.sendTraces(Array(good).fill(`${service}:step`).join('\n---\n'))
    spans.good += good
    await until('ok')
    alerts += 1
  }
  return alerts
}

/**
 * Returns the states that a receiver was notified of, in order, for each alert of a rule. A delivery with a known id is
 * a repetition and is ignored. Deliveries of different alerts may overlap: what a killed server had claimed is sent
 * after its claim ends, later than alerts that began after it.
 */
function notifiedStates(received: readonly Received[], ruleId: string): string[][] {
  const byId = new Map(received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)]))
  const byAlert = new Map<string, string[]>()
  for (const { data } of byId.values()) {
    if (data.rule.id !== ruleId) continue
    byAlert.set(data.alert.id, [...(byAlert.get(data.alert.id) ?? []), data.alert.state])
  }
  return [...byAlert.values()]
}

it(
  `two servers over one Postgres that are restarted for ${seconds} s notify every alert once`,
  async () => {
    const dataDir = temporaryFolder()
    const servers = await startTwo(dataDir)
    const org = watchOrg({ url: 'http://either.invalid', token: await tokenFor(dataDir), send: servers.send })
    const receiver = await startReceiver()
    const { id: channel } = await org.addChannel(receiver)
    const services = Array.from({ length: rules }, (_, index) => `service-${index}`)
    const added: string[] = []
    for (const service of services) {
      const watched = { service, measure: 'error_rate', threshold: 0.5, window_s: windowS } as const
      added.push((await org.addRule({ ...watched, channel_ids: [channel] })).id)
    }
    let isOver = false
    const restarting = servers.restartFor(seconds * 1_000).finally(() => {
      isOver = true
    })
    const alternating = added.map((id, index) => alternate(org, id, services[index] ?? '', () => isOver))
    const [expected] = await Promise.all([Promise.all(alternating), restarting])

    const notified = () => added.map((id) => notifiedStates(receiver.received, id))
    const pending = async () => (await org.deliveries(channel)).filter(({ state }) => state === 'pending').length
    await expect.poll(pending, { timeout: settledMsMax, interval: 200 }).toBe(0)
    expect(notified()).toEqual(expected.map((alerts) => Array(alerts).fill(['firing', 'resolved'])))
    const all = expected.reduce((sum, alerts) => sum + alerts, 0)
    expect((await org.alerts()).map(({ state }) => state)).toEqual(Array(all).fill('resolved'))
  },
  seconds * 1_000 + 600_000,
)

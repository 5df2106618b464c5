import { expect } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type ApiClient, createApiClient } from '../support/client.ts'
import type { Received, Receiver } from '../support/receiver.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawTraces } from '../support/trace-text.ts'

export type Channel = components['schemas']['ChannelCreated']
export type AlertRule = components['schemas']['AlertRule']
export type RuleCreate = components['schemas']['AlertRuleCreate']
type Delivery = components['schemas']['Delivery']
type Alert = components['schemas']['Alert']

/** An organization on a running server, with its spans, alert rules and alerts. */
export interface WatchedOrg {
  readonly client: ApiClient
  /** Sends drawn traces that start two seconds ago. */
  sendTraces(drawn: string): Promise<void>
  addChannel(receiver: Pick<Receiver, 'url'>, config?: object): Promise<Channel>
  /** Adds a rule that fires at the first failed span, unless `change` says otherwise. */
  addRule(change: Partial<RuleCreate>): Promise<AlertRule>
  rule(id: string): Promise<AlertRule>
  alerts(): Promise<Alert[]>
  /** Returns deliveries, oldest first. */
  deliveries(channelId: string): Promise<Delivery[]>
}

export interface OrgAccess {
  readonly url: string
  readonly token: string
  readonly now?: () => Date
  /** Sends requests; `fetch` by default. */
  readonly send?: (request: Request) => Promise<Response>
}

/** A clock that stands still until a test moves it, so that no step of a test takes time. */
export function createStoppedClock() {
  let nowMs = Date.now()
  return {
    now: () => new Date(nowMs),
    advance(seconds: number) {
      nowMs += seconds * 1_000
    },
  }
}

const leadMs = 2_000
const pageLimit = 200
let traces = 0

export function watchOrg({ url, token, now = () => new Date(), send = fetch }: OrgAccess): WatchedOrg {
  const client = createApiClient({ baseUrl: url, token, fetch: send })
  // Names repeat between organizations, so that tests notice if they are mixed up.
  let names = 0
  return {
    client,
    async sendTraces(drawn) {
      const startNs = BigInt(now().getTime() - leadMs) * 1_000_000n
      const spans = drawTraces(drawn, { startNs, firstTrace: traces + 1 })
      traces += spans.length
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(toOtlpJson(spans)) }
      const answer = await send(new Request(`${url}/v1/traces`, init))
      expect([answer.status, await answer.text()]).toEqual([200, '{}'])
    },
    async addChannel(receiver, config = {}) {
      names += 1
      const body = { kind: 'webhook', name: `Channel ${names}`, config: { url: receiver.url, ...config } } as const
      return answered(await client.POST('/api/v1/alerting/channels', { body }))
    },
    async addRule(change) {
      names += 1
      const content = { name: `Rule ${names}`, kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 0 }
      const body = { ...content, ...change } as RuleCreate
      return answered(await client.POST('/api/v1/alerting/rules', { body }))
    },
    rule: async (id) => answered(await client.GET('/api/v1/alerting/rules/{id}', { params: { path: { id } } })),
    alerts: () =>
      readAll(async (query) => answered(await client.GET('/api/v1/alerting/alerts', { params: { query } }))),
    async deliveries(id) {
      const newestFirst = await readAll(async (query) =>
        answered(await client.GET('/api/v1/alerting/channels/{id}/deliveries', { params: { path: { id }, query } })),
      )
      return newestFirst.reverse()
    },
  }
}

interface PageQuery {
  limit: number
  cursor?: string
}

/** Reads the items of all pages. */
async function readAll<Item>(
  readPage: (query: PageQuery) => Promise<{ items: Item[]; next_cursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  let query: PageQuery | undefined = { limit: pageLimit }
  while (query !== undefined) {
    const page = await readPage(query)
    items.push(...page.items)
    query = page.next_cursor === null ? undefined : { limit: pageLimit, cursor: page.next_cursor }
  }
  return items
}

function answered<Body>({ data, error }: { readonly data?: Body; readonly error?: unknown }): Body {
  if (data === undefined) throw new Error(`The request failed: ${JSON.stringify(error)}`)
  return data
}

/** Returns the types of received payloads in the canonical format: `[alert.firing, alert.resolved]`. */
export function eventsOf(received: readonly Received[]): string[] {
  return received.map(({ body }) => JSON.parse(body).type)
}

/** Waits until the receiver has at least `count` requests. */
export async function untilReceived({ received }: Receiver, count: number, msMax: number): Promise<void> {
  await expect.poll(() => received.length, { timeout: msMax, interval: 50 }).toBeGreaterThanOrEqual(count)
}

import { expect } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type ApiClient, createApiClient } from '../support/client.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawTraces } from '../support/trace-text.ts'
import type { Received, Receiver } from '../webhooks/deliveries/receiver.ts'

export type Channel = components['schemas']['ChannelCreated']
export type AlertRule = components['schemas']['AlertRule']
export type RuleCreate = components['schemas']['AlertRuleCreate']
type Delivery = components['schemas']['Delivery']
type Alert = components['schemas']['Alert']

/** One organization on a running server, whose spans alert rules watch. */
export interface WatchedOrg {
  readonly client: ApiClient
  /** Stores traces as they are drawn, beginning two seconds ago. */
  sendTraces(drawn: string): Promise<void>
  addChannel(receiver: Pick<Receiver, 'url'>, config?: object): Promise<Channel>
  /** Fires with the first failed span, when the change does not say otherwise. */
  addRule(change: Partial<RuleCreate>): Promise<AlertRule>
  rule(id: string): Promise<AlertRule>
  alerts(): Promise<Alert[]>
  /** Oldest first. */
  deliveries(channelId: string): Promise<Delivery[]>
}

export interface OrgAccess {
  readonly url: string
  readonly token: string
  readonly now?: () => Date
  /** How requests are made; `fetch` when a test does not say. */
  readonly send?: (request: Request) => Promise<Response>
}

const leadMs = 2_000
const pageLimit = 200
let traces = 0

export function watchOrg({ url, token, now = () => new Date(), send = fetch }: OrgAccess): WatchedOrg {
  const client = createApiClient({ baseUrl: url, token, fetch: send })
  // The same ones in every organization.
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

/** The items of all pages. */
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
  if (data === undefined) throw new Error(`not answered: ${JSON.stringify(error)}`)
  return data
}

/** `[alert.firing, alert.resolved]` for what a receiver of the canonical payload got. */
export function eventsOf(received: readonly Received[]): string[] {
  return received.map(({ body }) => JSON.parse(body).type)
}

/** Waits until there is as much as that, and fails when there is more. */
export async function untilReceived({ received }: Receiver, count: number, msMax: number): Promise<void> {
  await expect.poll(() => received.length, { timeout: msMax, interval: 50 }).toBe(count)
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SoakOrg } from './soak-org.ts'

/** A webhook receiver that can be made slow. */
export interface SlowReceiver {
  readonly url: string
  /** The notifications received, as `<alert id> <state>`. A repeated delivery counts once. */
  readonly received: Set<string>
  setSlow(isSlow: boolean): void
  close(): void
}

const slowMs = 4_000
const alertPages = 200

/** Starts the receiver. While it is slow, it takes seconds, and every third response is an error. */
export async function startSlowReceiver(): Promise<SlowReceiver> {
  const received = new Set<string>()
  let isSlow = false
  let requests = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests += 1
    const fails = isSlow && requests % 3 === 0
    if (isSlow) await sleep(slowMs)
    if (!fails) {
      const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      received.add(`${data.alert.id} ${data.alert.state}`)
    }
    response.writeHead(fails ? 500 : 200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    setSlow(value) {
      isSlow = value
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Creates a channel and the alert rules of an organization, and returns the ids of the rules. */
export async function watchErrors(org: SoakOrg, receiver: SlowReceiver): Promise<string[]> {
  const channel = await org.send('/api/v1/alerting/channels', {
    body: { kind: 'webhook', name: 'Soak', config: { url: receiver.url } },
  })
  const rules = [
    { name: 'Errors', measure: 'error_count', threshold: 0, window_s: 10, channel_ids: [channel.body.id] },
    { name: 'Spans', measure: 'span_count', threshold: 1e12, window_s: 300 },
  ]
  const ids: string[] = []
  for (const rule of rules) {
    const body = { kind: 'trace', comparator: 'gt', ...rule }
    const created = await org.send('/api/v1/alerting/rules', { body })
    if (created.status !== 201) throw new Error(`A rule was refused: ${JSON.stringify(created.body)}`)
    ids.push(created.body.id)
  }
  return ids
}

export interface NotificationFaults {
  /** The number of alerts. */
  readonly alerts: number
  /** The states of alerts that the receiver was never notified of, as `<alert id> <state>`. */
  readonly missing: readonly string[]
}

/** Compares the alerts of an organization with what the receiver got. */
export async function compareNotifications(org: SoakOrg, { received }: SlowReceiver): Promise<NotificationFaults> {
  const missing: string[] = []
  let alerts = 0
  for (let query = `limit=${alertPages}`; query !== ''; ) {
    const { body } = await org.send(`/api/v1/alerting/alerts?${query}`, { method: 'GET' })
    for (const { id, state } of body.items as { id: string; state: string }[]) {
      alerts += 1
      const states = state === 'resolved' ? ['firing', 'resolved'] : ['firing']
      missing.push(...states.map((each) => `${id} ${each}`).filter((key) => !received.has(key)))
    }
    query = body.next_cursor === null ? '' : `limit=${alertPages}&cursor=${encodeURIComponent(body.next_cursor)}`
  }
  return { alerts, missing }
}

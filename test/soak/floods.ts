import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Ledger, sendBody } from './acknowledged-sender.ts'
import type { PhaseName } from './phases.ts'
import type { SoakOrg } from './soak-org.ts'
import { makeBody } from './telemetry-bodies.ts'

export interface FloodTarget {
  readonly url: () => string
  readonly org: SoakOrg
  /** What the organization sent during floods. */
  readonly ledger: Ledger
}

type Flood = (target: FloodTarget, stop: AbortSignal) => Promise<void>

const stalledSockets = 12
const stalledBytes = 48 * 1024 ** 2
/** The most days that one body may touch. */
const daysOfBody = 100
const msPerDay = 86_400_000
const searchers = 40
const heavyRules = 80

/** The ways in which one organization tries to take everything. Each runs until the signal aborts. */
export const floods: Partial<Record<PhaseName, Flood>> = {
  'stalled bodies': stallBodies,
  'many days': sendManyDays,
  'many searches': searchAtOnce,
  'heavy alert rules': addHeavyRules,
}

/** Begins gzip bodies that decompress to much, and never completes them. */
async function stallBodies({ url, org }: FloodTarget, stop: AbortSignal): Promise<void> {
  const begun = gzipSync(Buffer.alloc(stalledBytes)).subarray(0, -64)
  const stall = async () => {
    while (!stop.aborted) {
      const { hostname, port } = new URL(url())
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.write(
        `POST /v1/traces HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${org.token}\r\n` +
          'Content-Type: application/x-protobuf\r\nContent-Encoding: gzip\r\n' +
          `Content-Length: ${begun.length + 64}\r\n\r\n`,
      )
      socket.write(begun)
      await closedOrStopped(socket, stop)
    }
  }
  await Promise.all(Array.from({ length: stalledSockets }, stall))
}

async function closedOrStopped(socket: Socket, stop: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => resolve()
    socket.once('close', end).once('end', end)
    stop.addEventListener('abort', end, { once: true })
  })
  socket.destroy()
  // The server may be restarting.
  await sleep(200)
}

/** Sends bodies with spans of many days, each of which is a partition. */
async function sendManyDays({ org, ledger }: FloodTarget, stop: AbortSignal): Promise<void> {
  const send = async () => {
    while (!stop.aborted) {
      const number = randomBytes(6).readUIntBE(0, 6)
      const parts = Array.from({ length: daysOfBody }, (_, day) => {
        const at = new Date(Date.now() - day * msPerDay)
        return makeBody.traces({ org: `${org.name} day ${day}`, number, items: 1, at })
      })
      const resourceSpans = parts.flatMap(({ request }) => (request as { resourceSpans: object[] }).resourceSpans)
      await sendBody(org, { path: '/v1/traces', items: daysOfBody, request: { resourceSpans } }, ledger, stop)
    }
  }
  await Promise.all([send(), send()])
}

/** Keeps many connections busy with searches that read everything. */
async function searchAtOnce({ org }: FloodTarget, stop: AbortSignal): Promise<void> {
  const rows = [
    { attribute_key: 'customer.id', operator: 'matches', value: 'customer-.*9$', includeDescendants: true },
    { attribute_key: 'http.route', operator: 'not_contains', value: '/api/31' },
    { attribute_key: 'cart.total', operator: 'gt', value: 3 },
  ]
  const search = async () => {
    while (!stop.aborted) {
      const window = { from: new Date(Date.now() - msPerDay).toISOString(), to: new Date().toISOString() }
      const body = { ...window, rows }
      await org.send('/api/v1/messages/count', { body }).catch(() => sleep(200))
    }
  }
  await Promise.all(Array.from({ length: searchers }, search))
}

/** Creates rules that each read a whole day with a pattern, and deletes them at the end. */
async function addHeavyRules({ org }: FloodTarget, stop: AbortSignal): Promise<void> {
  const ids: string[] = []
  for (let index = 0; index < heavyRules && !stop.aborted; index++) {
    const value = `customer-.*${index}$`
    const body = {
      name: `Heavy ${index} ${randomBytes(4).toString('hex')}`,
      kind: 'trace',
      measure: 'message_count',
      comparator: 'gt',
      threshold: 1e12,
      window_s: 86_400,
      conditions: [{ attribute_key: 'customer.id', operator: 'matches', value }],
    }
    const created = await org.send('/api/v1/alerting/rules', { body }).catch(() => undefined)
    if (created?.status === 201) ids.push(created.body.id)
    else await sleep(100)
  }
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  for (const id of ids) await untilDone(() => org.send(`/api/v1/alerting/rules/${id}`, { method: 'DELETE' }))
}

async function untilDone(send: () => Promise<{ status: number }>): Promise<void> {
  for (;;) {
    const response = await send().catch(() => undefined)
    if (response !== undefined && response.status !== 429 && response.status < 500) return
    await sleep(500)
  }
}

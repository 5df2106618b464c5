import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicFactory } from 'ulid'
import { onTestFinished } from 'vitest'
import { type Metadata, openMetadata } from '../../../server/metadata/database.ts'
import { createLogger } from '../../../server/observability/logging.ts'
import { createPrometheus } from '../../../server/observability/prometheus.ts'
import { createChannels } from '../../../server/webhooks/channels/channels.ts'
import { createAddressPolicy } from '../../../server/webhooks/channels/receiver-address.ts'
import { createDeliveryStore, type StoredDelivery } from '../../../server/webhooks/deliveries/delivery-store.ts'
import { createOutbox } from '../../../server/webhooks/deliveries/outbox.ts'
import {
  type AlertContext,
  type AlertState,
  sampleContext,
} from '../../../server/webhooks/templates/template-variables.ts'
import { createDeliveries, type DeliveryParts } from '../../../server/webhooks/webhooks.ts'
import type { NewStore } from '../../metadata/stores.ts'
import { type ChannelSeed, seedChannel } from './channel-seed.ts'

export interface Clock {
  now(): Date
  advance(ms: number): void
  /** Never backwards. */
  advanceTo(moment: string): void
}

/** A store, a clock that only the test moves, and as many servers as it wants. */
export interface Site {
  readonly org: string
  readonly metadata: Metadata
  readonly clock: Clock
  readonly keys: { readonly dataDir: string }
  logLines(): Record<string, unknown>[]
  addChannel(seed: ChannelSeed): Promise<string>
  /** Writes a notification in a transaction of its own. */
  enqueue(alertId: string, state: AlertState, ...channelIds: string[]): Promise<void>
  contextOf(alertId: string, state: AlertState): AlertContext
  /** Oldest first. */
  deliveries(channelId: string): Promise<StoredDelivery[]>
  /** What sends; each with a connection of its own to the store. */
  server(options?: Partial<DeliveryParts>): Promise<ReturnType<typeof createDeliveries>>
}

const loopback = createAddressPolicy(['127.0.0.0/8'])

export async function openSite(newStore: NewStore): Promise<Site> {
  const options = await newStore()
  const open = async () => {
    const metadata = await openMetadata(options)
    onTestFinished(() => metadata.close())
    return metadata
  }
  const metadata = await open()
  await metadata.migrate()
  const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-site-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const org = `org-${randomUUID()}`
  const clock = createClock()
  const newId = monotonicFactory()
  const outbox = createOutbox({ now: clock.now, newId })
  const lines: string[] = []
  const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const contextOf = (id: string, state: AlertState) => ({
    ...sampleContext,
    alert: { ...sampleContext.alert, id, state },
  })
  return {
    ...{ org, metadata, clock, keys: { dataDir }, contextOf },
    logLines: () => lines.map((line) => JSON.parse(line)),
    addChannel: (seed) => seedChannel(metadata, { dataDir }, org, seed),
    enqueue: (alertId, state, ...channelIds) =>
      metadata.transaction((transaction) =>
        outbox.enqueue(transaction, { org, channelIds, context: contextOf(alertId, state) }),
      ),
    async deliveries(channelId) {
      const page = { limit: 200, before: undefined }
      return (await createDeliveryStore(metadata, clock.now).list({ org, channelId }, page)).reverse()
    },
    async server(more = {}) {
      const own = await open()
      return createDeliveries({
        ...{ metadata: own, now: clock.now, newId, logger, allows: loopback, random: () => 0.5 },
        channels: await createChannels({
          config: { dataDir },
          metadata: own,
          logger,
          now: clock.now,
          newId,
          allows: loopback,
          rulesNaming: async () => [],
        }),
        prometheus: createPrometheus({ collectProcess: false }),
        ...more,
      })
    },
  }
}

function createClock(): Clock {
  let moment = Date.parse('2026-03-01T09:00:00.000Z')
  return {
    now: () => new Date(moment),
    advance(ms) {
      moment += ms
    },
    advanceTo(text) {
      moment = Math.max(moment, Date.parse(text))
    },
  }
}

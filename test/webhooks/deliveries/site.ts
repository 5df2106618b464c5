import { randomUUID } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { onTestFinished } from 'vitest'
import { type Metadata, openMetadata } from '../../../server/metadata/database.ts'
import { createLogger, type Logger } from '../../../server/observability/logging.ts'
import { createPrometheus } from '../../../server/observability/prometheus.ts'
import { createDeliveryStore, type StoredDelivery } from '../../../server/webhooks/deliveries/delivery-store.ts'
import { createOutbox } from '../../../server/webhooks/deliveries/outbox.ts'
import {
  type AlertContext,
  type AlertState,
  sampleContext,
} from '../../../server/webhooks/templates/template-variables.ts'
import { createWebhooks } from '../../../server/webhooks/webhooks.ts'
import { type ChannelSeed, seedChannel } from '../../support/channel-seed.ts'
import type { NewStore } from '../../support/stores.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Longer than any test takes: a receiver that does not respond holds its slot until the server stops. */
const requestMsMax = 3_600_000

export interface Clock {
  now(): Date
  advance(ms: number): void
  /** Never moves the clock backwards. */
  advanceTo(time: string): void
}

/** An organization, its channels and their deliveries. */
export interface Tenant {
  readonly org: string
  addChannel(seed: ChannelSeed): Promise<string>
  /** Writes a notification in a separate transaction. */
  enqueue(alertId: string, state: AlertState, ...channelIds: string[]): Promise<void>
  /** Returns the deliveries of a channel, oldest first. */
  deliveries(channelId: string): Promise<StoredDelivery[]>
}

/** A metadata store with one organization, a clock that only the test advances, and any number of servers. */
export interface Site extends Tenant {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly keys: { readonly dataDir: string }
  readonly logger: Logger
  logLines(): Record<string, unknown>[]
  contextOf(alertId: string, state: AlertState): AlertContext
  /** Returns a further organization. */
  anotherOrg(): Tenant
  /** Creates a server with its own connection to the store. */
  server(): ReturnType<typeof createWebhooks>
}

export async function openSite(newStore: NewStore): Promise<Site> {
  const options = await newStore()
  const open = async () => {
    const metadata = await openMetadata(options)
    onTestFinished(() => metadata.close())
    return metadata
  }
  const metadata = await open()
  await metadata.migrate()
  const dataDir = temporaryFolder()
  const clock = createClock()
  const newId = monotonicFactory()
  const outbox = createOutbox({ now: clock.now, newId })
  const lines: string[] = []
  const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const contextOf = (id: string, state: AlertState) => ({
    ...sampleContext,
    alert: { ...sampleContext.alert, id, state },
  })
  const newOrg = (): Tenant => {
    const org = `org-${randomUUID()}`
    return {
      org,
      addChannel: (seed) => seedChannel(metadata, { dataDir }, org, seed),
      enqueue: (alertId, state, ...channelIds) =>
        metadata.transaction((transaction) =>
          outbox.enqueue(transaction, { org, channelIds, context: contextOf(alertId, state) }),
        ),
      async deliveries(channelId) {
        const page = { limit: 200, before: undefined }
        return (await createDeliveryStore({ metadata, now: clock.now, newId }).list({ org, channelId }, page)).reverse()
      },
    }
  }
  return {
    ...newOrg(),
    metadata,
    clock,
    keys: { dataDir },
    contextOf,
    logger,
    logLines: () => lines.map((line) => JSON.parse(line)),
    anotherOrg: newOrg,
    async server() {
      const deps = {
        config: { dataDir, webhookAllowedCidrs: ['127.0.0.0/8'] },
        metadata: await open(),
        logger,
        prometheus: createPrometheus({ collectProcess: false }),
        now: clock.now,
        newId,
      }
      return createWebhooks(deps, { alertRulesOf: async () => [], random: () => 0.5, timeoutMs: requestMsMax })
    },
  }
}

function createClock(): Clock {
  let nowMs = Date.parse('2026-03-01T09:00:00.000Z')
  return {
    now: () => new Date(nowMs),
    advance(ms) {
      nowMs += ms
    },
    advanceTo(text) {
      nowMs = Math.max(nowMs, Date.parse(text))
    },
  }
}

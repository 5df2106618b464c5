import { type Background, repeatedly } from '../background/background.ts'
import type { Metadata } from '../metadata/database.ts'
import type { Logger } from '../observability/logging.ts'
import type { Prometheus } from '../observability/prometheus.ts'
import { msPerDay } from '../telemetry/time-units.ts'
import type { ChannelStore } from './channels/channel-store.ts'
import type { AddressPolicy } from './channels/receiver-address.ts'
import { type ResolveHost, resolveHost } from './deliveries/connection.ts'
import { deliveryHandlers } from './deliveries/delivery-handlers.ts'
import { createDeliveryQueue } from './deliveries/delivery-queue.ts'
import { createDeliveryEnd } from './deliveries/delivery-result.ts'
import { createDeliveryStore, type DeliveryStore } from './deliveries/delivery-store.ts'
import { createDeliveryWorker } from './deliveries/delivery-worker.ts'
import { createPost, postTimeoutMsDefault } from './deliveries/post.ts'
import { type ChannelReceiver, createSend } from './deliveries/send.ts'
import { createSlots, type SlotLimits, slotLimitsDefault } from './deliveries/slots.ts'
import { createEnqueueTest } from './deliveries/test-delivery.ts'
import type { RenderBody } from './formats/formats.ts'

export interface DeliveryParts {
  readonly metadata: Metadata
  readonly channels: {
    readonly store: Pick<ChannelStore, 'find'>
    readonly renderBody: RenderBody
    /** Undefined when there is no such channel any more. */
    readonly findReceiver: (org: string, channelId: string) => Promise<ChannelReceiver | undefined>
  }
  readonly allows: AddressPolicy
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  readonly logger: Logger
  readonly prometheus: Pick<Prometheus, 'deliveries'>
  readonly resolve?: ResolveHost
  readonly timeoutMs?: number
  readonly slotLimits?: SlotLimits
  readonly random?: () => number
}

/** How long it is kept what became of a delivery. */
const finishedDaysMax = 30
const sweepPauseMs = 3_600_000

/** All that sends notifications to channels and tells what became of them. */
export function createDeliveries(parts: DeliveryParts) {
  const { metadata, channels, now, logger } = parts
  const store = createDeliveryStore(metadata, now)
  const queue = createDeliveryQueue(metadata, now)
  const { allows, resolve = resolveHost, timeoutMs = postTimeoutMsDefault, slotLimits = slotLimitsDefault } = parts
  const send = createSend({
    ...{
      queue,
      end: createDeliveryEnd(metadata),
      findReceiver: channels.findReceiver,
      renderBody: channels.renderBody,
    },
    ...{ post: createPost({ allows, resolve, timeoutMs }), random: parts.random ?? Math.random },
    ...{ now, logger, metrics: parts.prometheus.deliveries },
  })
  const worker = createDeliveryWorker({ queue, send, slots: createSlots(slotLimits), logger })
  const stopping = new AbortController()
  const sending: Background = {
    start: worker.start,
    stop(runningMsMax) {
      stopping.abort()
      return worker.stop(runningMsMax)
    },
  }
  return {
    worker,
    background: [sending, sweep(store, now, logger)],
    handlers: deliveryHandlers({
      ...{ channels: channels.store, deliveries: store, enqueueTest: createEnqueueTest(parts) },
      ...{ wake: worker.wake, stopping: stopping.signal },
    }),
  }
}

/** Several servers may sweep at once: a row is deleted once all the same. */
function sweep(store: DeliveryStore, now: () => Date, logger: Logger): Background {
  return repeatedly({
    pauseMs: sweepPauseMs,
    async work() {
      const before = new Date(now().getTime() - finishedDaysMax * msPerDay)
      while ((await store.deleteFinished(before)) > 0) {}
    },
    onError: (err) => logger.warn({ err }, 'Old deliveries could not be deleted'),
  })
}

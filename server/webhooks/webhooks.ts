import { type Background, repeatedly } from '../background/background.ts'
import { untilNone } from '../background/pace.ts'
import type { Config } from '../config/config.ts'
import type { Deps } from '../feature.ts'
import type { AlertRulesOf } from '../metadata/used-by-alert-rules.ts'
import { openSecretBox } from '../secrets/secret-box.ts'
import { msPerDay } from '../telemetry/time-units.ts'
import { channelHandlers } from './channels/channel-handlers.ts'
import { createChannelStore } from './channels/channel-store.ts'
import { channelTransfer } from './channels/channel-transfer.ts'
import { credentialUpkeep, openReceiver } from './channels/credentials.ts'
import { createAddressPolicy } from './channels/receiver-address.ts'
import { deliveryHandlers } from './deliveries/delivery-handlers.ts'
import { createDeliveryQueue, type DeliveryQueue } from './deliveries/delivery-queue.ts'
import { createDeliveryResults } from './deliveries/delivery-result.ts'
import { createDeliveryStore, type DeliveryStore } from './deliveries/delivery-store.ts'
import { createDeliveryWorker, type DeliveryWorker } from './deliveries/delivery-worker.ts'
import { createEnqueueTest, createOutbox } from './deliveries/outbox.ts'
import { createPost, postTimeoutMs } from './deliveries/post.ts'
import { createResolveHost } from './deliveries/resolve-host.ts'
import { createSend } from './deliveries/send.ts'
import { createSlots, slotLimits } from './deliveries/slots.ts'
import { templateHandlers } from './formats/template-handlers.ts'

export interface WebhookDeps extends Pick<Deps, 'metadata' | 'logger' | 'now' | 'newId'> {
  readonly config: Pick<Config, 'dataDir' | 'secretsKey' | 'webhookAllowedCidrs'>
  readonly prometheus: Pick<Deps['prometheus'], 'deliveries'>
}

export interface WebhookOptions {
  readonly alertRulesOf: AlertRulesOf
  /** Returns a random number of at least 0 and less than 1, used for the jitter of retries. */
  readonly random?: () => number
  /** Timeout of one request, in milliseconds. */
  readonly timeoutMs?: number
}

/** Creates the channels, their templates and their deliveries. Alerting writes notifications to the `outbox`. */
export async function createWebhooks(deps: WebhookDeps, options: WebhookOptions) {
  const { alertRulesOf, random = Math.random, timeoutMs = postTimeoutMs } = options
  const { config, metadata, logger, now, newId, prometheus } = deps
  const box = await openSecretBox(config)
  const allows = createAddressPolicy(config.webhookAllowedCidrs)
  const channels = createChannelStore(deps)
  const findReceiver = async (org: string, id: string) => {
    const channel = await channels.find({ org }, id)
    return channel && openReceiver(box, org, channel)
  }
  const deliveries = createDeliveryStore(deps)
  const queue = createDeliveryQueue(deps)
  const results = createDeliveryResults({ metadata, now, newId, metrics: prometheus.deliveries })
  const send = createSend({
    queue,
    results,
    findReceiver,
    post: createPost({ allows, resolve: createResolveHost(), timeoutMs }),
    now,
    random,
    logger,
    metrics: prometheus.deliveries,
  })
  const worker = createDeliveryWorker({ queue, results, send, slots: createSlots(slotLimits), logger })
  const stopping = new AbortController()
  return {
    outbox: createOutbox(deps),
    findReceiver,
    worker,
    background: [
      credentialUpkeep({ metadata, box, logger }, config.secretsKey !== undefined),
      sending(worker, stopping),
      followClock(queue, deps),
      deleteFinished(deliveries, deps),
    ],
    transfers: [channelTransfer({ store: channels, box, allows, newId, alertRulesOf })],
    handlers: {
      ...templateHandlers(),
      ...channelHandlers({ store: channels, box, allows, metadata, newId, alertRulesOf }),
      ...deliveryHandlers({
        channels,
        deliveries,
        enqueueTest: createEnqueueTest(deps),
        wake: worker.wake,
        stopping: stopping.signal,
        now,
      }),
    },
  }
}

function sending(worker: DeliveryWorker, stopping: AbortController): Background {
  return {
    start: worker.start,
    stop(runningMsMax) {
      stopping.abort()
      return worker.stop(runningMsMax)
    },
  }
}

const followPauseMs = 60_000

/** Sends deliveries soon whose times are in the future because the clock was set back. */
function followClock(queue: DeliveryQueue, { logger }: Pick<WebhookDeps, 'logger'>): Background {
  return repeatedly({
    pauseMs: followPauseMs,
    work: queue.releaseFuture,
    onError: (err) => logger.warn({ err }, 'Could not look for deliveries that are due in the future'),
  })
}

/** Days for which finished deliveries are kept. */
const finishedDaysMax = 30
const deletePauseMs = 3_600_000

/** Deletes old deliveries. Several servers may do so concurrently. */
function deleteFinished(deliveries: DeliveryStore, { now, logger }: Pick<Deps, 'now' | 'logger'>): Background {
  return repeatedly({
    pauseMs: deletePauseMs,
    async work() {
      const before = new Date(now().getTime() - finishedDaysMax * msPerDay)
      await untilNone(() => deliveries.deleteFinished(before))
    },
    onError: (err) => logger.warn({ err }, 'Could not delete old deliveries'),
  })
}

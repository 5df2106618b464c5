import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../feature.ts'
import type { HandlerRequest, Handlers } from '../../http/contract/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import { notFound, problem, raise } from '../../problem/problem.ts'
import type { ChannelStore } from '../channels/channel-store.ts'
import { type ChannelKey, type DeliveryStore, type StoredDelivery, toDeliveryRecord } from './delivery-store.ts'
import type { EnqueueTest } from './outbox.ts'
import { RateLimit } from './rate-limit.ts'

export interface DeliveryHandlerDeps extends Pick<Deps, 'now'> {
  readonly channels: Pick<ChannelStore, 'find'>
  readonly deliveries: DeliveryStore
  readonly enqueueTest: EnqueueTest
  /** Makes the worker look for due deliveries immediately. */
  readonly wake: () => void
  /** Aborts when the server stops and sends nothing more. */
  readonly stopping: AbortSignal
}

const resultPollMs = 50
/** Milliseconds to wait for a result, which is longer than an attempt can take. */
const resultWaitMsMax = 20_000

export function deliveryHandlers(
  deps: DeliveryHandlerDeps,
): Handlers<'listDeliveries' | 'retryDelivery' | 'testChannel'> {
  const limits = createRequestLimits(deps)
  return {
    listDeliveries: (request) => listDeliveries(deps, request),
    retryDelivery: (request) => retryDelivery(deps, limits, request),
    testChannel: (request) => testChannel(deps, limits, request),
  }
}

/** Limits on the requests to receivers that callers cause, because receivers are servers of third parties. */
function createRequestLimits({ now }: Pick<DeliveryHandlerDeps, 'now'>) {
  return {
    delivery: new RateLimit({ perMinuteMax: 3, subject: 'A delivery can be retried', now }),
    channel: new RateLimit({ perMinuteMax: 30, subject: 'Deliveries of a channel can be retried', now }),
    org: new RateLimit({ perMinuteMax: 100, subject: 'Deliveries can be retried and channels tested', now }),
  }
}

type RequestLimits = ReturnType<typeof createRequestLimits>

async function findChannel({ channels }: DeliveryHandlerDeps, org: string, id: string) {
  return (await channels.find({ org }, id)) ?? raise(notFound('channel', id))
}

async function listDeliveries(
  deps: DeliveryHandlerDeps,
  { caller, path: { id }, query: { alert_id: alertId, ...query } }: HandlerRequest<'listDeliveries'>,
) {
  const { org } = caller
  await findChannel(deps, org, id)
  const page = await readNewest(['deliveries', org, id, alertId ?? null], query, (newest) =>
    deps.deliveries.list({ org, channelId: id }, { alertId, ...newest }),
  )
  return { status: 200 as const, body: { ...page, items: page.items.map((each) => toDeliveryRecord(each, caller)) } }
}

async function retryDelivery(
  deps: DeliveryHandlerDeps,
  limits: RequestLimits,
  request: HandlerRequest<'retryDelivery'>,
) {
  const {
    caller: { org },
    path: { id, delivery_id },
  } = request
  const channel = await findChannel(deps, org, id)
  const key = { org, channelId: id }
  const delivery = (await deps.deliveries.find(key, delivery_id)) ?? raise(notFound('delivery', delivery_id))
  if (channel.disabledReason !== null) throw problem('conflict', 'The channel is disabled. Enable it first.')
  limits.delivery.count(`${org}/${delivery.id}`)
  limits.channel.count(`${org}/${channel.id}`)
  limits.org.count(org)
  if (!(await deps.deliveries.retry(request, channel, delivery.id))) {
    throw problem('conflict', 'The delivery has already succeeded, or an attempt is in progress.')
  }
  deps.wake()
  const retried = (await deps.deliveries.find(key, delivery.id)) ?? raise(notFound('delivery', delivery_id))
  return { status: 200 as const, body: toDeliveryRecord(retried, request.caller) }
}

async function testChannel(deps: DeliveryHandlerDeps, limits: RequestLimits, request: HandlerRequest<'testChannel'>) {
  const {
    caller: { org },
    path: { id },
    signal,
  } = request
  const channel = await findChannel(deps, org, id)
  const key = { org, channelId: channel.id }
  limits.org.count(org)
  const delivery = await deps.enqueueTest(request, channel)
  deps.wake()
  const ended = await untilEnded(deps, key, delivery, signal)
  return { status: 200 as const, body: toDeliveryRecord(ended ?? raise(notFound('channel', id)), request.caller) }
}

/**
 * Polls a delivery until it has ended, because any server may send it. Returns the pending delivery after a timeout.
 */
async function untilEnded(
  { deliveries, stopping }: DeliveryHandlerDeps,
  channel: ChannelKey,
  id: string,
  signal: AbortSignal,
): Promise<StoredDelivery | undefined> {
  const waiting = AbortSignal.any([signal, stopping, AbortSignal.timeout(resultWaitMsMax)])
  for (;;) {
    const delivery = await deliveries.find(channel, id)
    if (delivery?.state !== 'pending' || waiting.aborted) return delivery
    await sleep(resultPollMs)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { HandlerRequest, Handlers } from '../../http/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import { notFound, problem, raise } from '../../problem/problem.ts'
import type { ChannelStore } from '../channels/channel-store.ts'
import { type ChannelKey, type DeliveryStore, type StoredDelivery, toDeliveryRecord } from './delivery-store.ts'
import type { EnqueueTest } from './outbox.ts'

export interface DeliveryHandlerDeps {
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
  return {
    listDeliveries: (request) => listDeliveries(deps, request),
    retryDelivery: (request) => retryDelivery(deps, request),
    testChannel: (request) => testChannel(deps, request),
  }
}

async function findChannel({ channels }: DeliveryHandlerDeps, org: string, id: string) {
  return (await channels.find({ org }, id)) ?? raise(notFound('channel', id))
}

async function listDeliveries(
  deps: DeliveryHandlerDeps,
  { caller: { org }, path: { id }, query }: HandlerRequest<'listDeliveries'>,
) {
  await findChannel(deps, org, id)
  const page = await readNewest(['deliveries', org, id], query, (newest) =>
    deps.deliveries.list({ org, channelId: id }, newest),
  )
  return { status: 200 as const, body: { ...page, items: page.items.map(toDeliveryRecord) } }
}

async function retryDelivery(
  deps: DeliveryHandlerDeps,
  { caller: { org }, path: { id, delivery_id } }: HandlerRequest<'retryDelivery'>,
) {
  const channel = await findChannel(deps, org, id)
  const key = { org, channelId: id }
  const delivery = (await deps.deliveries.find(key, delivery_id)) ?? raise(notFound('delivery', delivery_id))
  if (channel.disabledReason !== null) throw problem('conflict', 'The channel is disabled. Enable it first.')
  if (!(await deps.deliveries.retry(key, delivery.id))) {
    throw problem('conflict', 'The delivery has already succeeded, or an attempt is in progress.')
  }
  deps.wake()
  const retried = (await deps.deliveries.find(key, delivery.id)) ?? raise(notFound('delivery', delivery_id))
  return { status: 200 as const, body: toDeliveryRecord(retried) }
}

async function testChannel(
  deps: DeliveryHandlerDeps,
  { caller: { org }, path: { id }, signal }: HandlerRequest<'testChannel'>,
) {
  const channel = await findChannel(deps, org, id)
  const key = { org, channelId: channel.id }
  const delivery = await deps.enqueueTest(key)
  deps.wake()
  const ended = await untilEnded(deps, key, delivery, signal)
  return { status: 200 as const, body: toDeliveryRecord(ended ?? raise(notFound('channel', id))) }
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

import { setTimeout as sleep } from 'node:timers/promises'
import type { HandlerRequest, Handlers } from '../../http/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import { notFound, problem, raise } from '../../problem/problem.ts'
import type { ChannelStore } from '../channels/channel-store.ts'
import { toDeliveryRecord } from './delivery-record.ts'
import type { ChannelOf, DeliveryStore, StoredDelivery } from './delivery-store.ts'
import type { EnqueueTest } from './test-delivery.ts'

export interface DeliveryHandlerParts {
  readonly channels: Pick<ChannelStore, 'find'>
  readonly deliveries: DeliveryStore
  readonly enqueueTest: EnqueueTest
  /** Something is due now. */
  readonly wake: () => void
  /** Aborts when nothing more will be sent, because the server stops. */
  readonly stopping: AbortSignal
}

const outcomePollMs = 50
/** Longer than an attempt takes. */
const outcomeWaitMsMax = 20_000

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function deliveryHandlers(
  parts: DeliveryHandlerParts,
): Handlers<'listDeliveries' | 'retryDelivery' | 'testChannel'> {
  return {
    listDeliveries: (request) => listDeliveries(parts, request),
    retryDelivery: (request) => retryDelivery(parts, request),
    testChannel: (request) => testChannel(parts, request),
  }
}

async function findChannel({ channels }: DeliveryHandlerParts, org: string, id: string) {
  return (await channels.find(org, id)) ?? raise(notFound('channel', id))
}

async function listDeliveries(
  parts: DeliveryHandlerParts,
  { caller: { org }, path: { id }, query }: HandlerRequest<'listDeliveries'>,
) {
  await findChannel(parts, org, id)
  const page = await readNewest(['deliveries', org, id], query, (newest) =>
    parts.deliveries.list({ org, channelId: id }, newest),
  )
  return { status: 200 as const, body: { ...page, items: page.items.map(toDeliveryRecord) } }
}

async function retryDelivery(
  parts: DeliveryHandlerParts,
  { caller: { org }, path: { id, delivery_id } }: HandlerRequest<'retryDelivery'>,
) {
  const channel = await findChannel(parts, org, id)
  const at = { org, channelId: id }
  const delivery = (await parts.deliveries.find(at, delivery_id)) ?? raise(notFound('delivery', delivery_id))
  if (channel.disabledReason !== null) throw problem('conflict', 'The channel is disabled. Enable it first.')
  if (!(await parts.deliveries.retry(at, delivery.id))) {
    throw problem('conflict', 'The delivery has succeeded, or is being tried at this moment.')
  }
  parts.wake()
  const retried = (await parts.deliveries.find(at, delivery.id)) ?? raise(notFound('delivery', delivery_id))
  return { status: 200 as const, body: toDeliveryRecord(retried) }
}

async function testChannel(
  parts: DeliveryHandlerParts,
  { caller: { org }, path: { id }, signal }: HandlerRequest<'testChannel'>,
) {
  const channel = await findChannel(parts, org, id)
  const at = { org, channelId: channel.id }
  const delivery = await parts.enqueueTest(at)
  parts.wake()
  const ended = await untilEnded(parts, at, delivery, signal)
  return { status: 200 as const, body: toDeliveryRecord(ended ?? raise(notFound('channel', id))) }
}

/** Any server may send it, so its outcome is read from the store. It may be pending still when waiting ends. */
async function untilEnded(
  { deliveries, stopping }: DeliveryHandlerParts,
  at: ChannelOf,
  id: string,
  signal: AbortSignal,
): Promise<StoredDelivery | undefined> {
  const given = AbortSignal.any([signal, stopping, AbortSignal.timeout(outcomeWaitMsMax)])
  for (;;) {
    const delivery = await deliveries.find(at, id)
    if (delivery?.state !== 'pending' || given.aborted) return delivery
    await sleep(outcomePollMs)
  }
}

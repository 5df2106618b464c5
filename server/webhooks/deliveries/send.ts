import type { Logger } from '../../observability/logging.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import { Problem } from '../../problem/problem.ts'
import { SecretUnreadable } from '../../secrets/secret-box.ts'
import type { StoredChannel } from '../channels/channel.ts'
import type { Receiver } from '../channels/receiver.ts'
import type { Body, RenderBody } from '../formats/formats.ts'
import type { ClaimedDelivery, DeliveryQueue } from './delivery-queue.ts'
import type { Attempt, DeliveryEnd } from './delivery-result.ts'
import type { Post, PostRequest, PostResult } from './post.ts'
import type { Slot } from './slots.ts'
import { faultOf, judge } from './verdict.ts'
import { signMessage } from './webhook-request.ts'

/** Makes one attempt of a claimed delivery and records what came of it. Rejects when it could not be recorded. */
export type Send = (claimed: ClaimedDelivery, slot: Slot, signal: AbortSignal) => Promise<void>

export interface ChannelReceiver {
  readonly channel: StoredChannel
  readonly receiver: Receiver
}

export interface SendParts {
  readonly queue: DeliveryQueue
  readonly end: DeliveryEnd
  /** Undefined when there is no such channel any more. Throws `SecretUnreadable` when its credentials cannot be read. */
  readonly findReceiver: (org: string, channelId: string) => Promise<ChannelReceiver | undefined>
  readonly renderBody: RenderBody
  readonly post: Post
  readonly now: () => Date
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Prometheus['deliveries']
}

const hostFullPauseMs = 1_000

export function createSend(parts: SendParts): Send {
  return async (claimed, slot, signal) => {
    const startedAt = parts.now()
    const result = await orFault(parts, claimed, signal, () => postOnce(parts, { claimed, slot, startedAt }, signal))
    if (result !== undefined) await record(parts, claimed, { startedAt, endedAt: parts.now(), result })
  }
}

interface Turn {
  readonly claimed: ClaimedDelivery
  readonly slot: Slot
  readonly startedAt: Date
}

/** Undefined when nothing was sent, for a reason that has been dealt with. */
async function postOnce(
  { queue, end, findReceiver, renderBody, post, metrics }: SendParts,
  { claimed, slot, startedAt }: Turn,
  signal: AbortSignal,
): Promise<PostResult | undefined> {
  const found = await findReceiver(claimed.org, claimed.channelId)
  // A channel that is deleted takes its deliveries with it.
  if (found === undefined) return undefined
  const { channel, receiver } = found
  if (channel.disabledReason !== null && claimed.event !== 'test') {
    await end.skip(claimed, startedAt)
    metrics.outcomes.inc({ outcome: 'skipped' })
    return undefined
  }
  if (!slot.takeHost(hostOf(receiver.url))) {
    await queue.handBack(claimed, new Date(startedAt.getTime() + hostFullPauseMs))
    return undefined
  }
  const body = claimed.body ?? renderBody(receiver, { ...claimed, context: JSON.parse(claimed.context) })
  const isStillOurs = await queue.begin(claimed, body)
  return isStillOurs ? post(requestOf(claimed.id, receiver, body, startedAt), signal) : undefined
}

/** What goes wrong in this server is an attempt that failed; only a store that does not answer is not, for it could not be noted. */
async function orFault(
  { queue, now, logger }: SendParts,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
  work: () => Promise<PostResult | undefined>,
): Promise<PostResult | undefined> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) {
      await queue.handBack(claimed, now())
      return undefined
    }
    if (error instanceof Problem && error.code === 'unavailable') throw error
    logger.error({ err: error, org: claimed.org, delivery: claimed.id }, 'The request of a delivery could not be made')
    const isSealed = error instanceof SecretUnreadable
    return {
      kind: 'unanswered',
      error: isSealed
        ? 'the server does not have the key to the credentials of this channel; set them again'
        : 'the server could not make the request',
    }
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

function requestOf(id: string, { url, authHeader, signingSecret }: Receiver, body: Body, at: Date): PostRequest {
  const timestamp = Math.floor(at.getTime() / 1_000)
  const signed = { id, timestamp, body: body.text }
  const headers = {
    'content-type': body.contentType,
    'user-agent': 'Tracefold',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signingSecret !== undefined && { 'webhook-signature': signMessage(signingSecret, signed) }),
    ...(authHeader !== undefined && { authorization: authHeader }),
  }
  const secrets = [authHeader, signingSecret].filter((secret) => secret !== undefined)
  return { url, headers, body: body.text, secrets }
}

async function record(parts: SendParts, claimed: ClaimedDelivery, attempt: Attempt): Promise<void> {
  const { end, random, logger, metrics } = parts
  const { org, id, channelId, event, tries } = claimed
  const verdict = judge(attempt.result, { event, tries, now: attempt.endedAt, random })
  const disabled = await end.record(claimed, attempt, verdict)
  metrics.outcomes.inc({ outcome: verdict.state === 'pending' ? 'retried' : verdict.state })
  metrics.duration.observe((attempt.endedAt.getTime() - attempt.startedAt.getTime()) / 1_000)
  const error = faultOf(attempt.result)
  if (error === undefined) return
  // No address: the path and the query of a receiver may be its credentials.
  logger.warn(
    { org, channel: channelId, delivery: id, attempt: tries, error, state: verdict.state },
    'A delivery failed',
  )
  if (disabled !== undefined) logger.warn({ org, channel: channelId, reason: disabled }, 'A channel was disabled')
}

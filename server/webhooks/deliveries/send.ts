import type { Deps } from '../../feature.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import { Problem } from '../../problem/problem.ts'
import { SecretUnreadable } from '../../secrets/secret-box.ts'
import type { Receiver } from '../channels/credentials.ts'
import { renderBody } from '../formats/formats.ts'
import { type ClaimedDelivery, type DeliveryQueue, isSkippedWhile } from './delivery-queue.ts'
import { type Attempt, type DeliveryResults, durationMsOf } from './delivery-result.ts'
import type { Post } from './post.ts'
import { faultOf, judge } from './verdict.ts'
import { webhookRequest } from './webhook-request.ts'

/** Makes one attempt of a claimed delivery and records its result. Rejects if the result could not be recorded. */
export type Send = (claimed: ClaimedDelivery, signal: AbortSignal) => Promise<void>

/**
 * Returns a channel with its credentials, or undefined if it has been deleted.
 * @throws SecretUnreadable if the server does not have the key that sealed the credentials
 */
export type FindReceiver = (org: string, channelId: string) => Promise<Receiver | undefined>

export interface SendDeps extends Pick<Deps, 'now' | 'logger'> {
  readonly queue: DeliveryQueue
  readonly results: Pick<DeliveryResults, 'record'>
  readonly findReceiver: FindReceiver
  readonly post: Post
  readonly random: () => number
  readonly metrics: Prometheus['deliveries']
}

export function createSend(deps: SendDeps): Send {
  return async (claimed, signal) => {
    const startedAt = deps.now()
    const posted = await orFault(deps, claimed, signal, () => postOnce(deps, claimed, startedAt, signal))
    if (posted !== undefined) await record(deps, claimed, { startedAt, endedAt: deps.now(), ...posted })
  }
}

type Posted = Pick<Attempt, 'body' | 'result'>

/** Sends the request of a delivery. Returns undefined if nothing was sent; the delivery then needs no further work. */
async function postOnce(
  { queue, findReceiver, post, now }: SendDeps,
  claimed: ClaimedDelivery,
  startedAt: Date,
  signal: AbortSignal,
): Promise<Posted | undefined> {
  const receiver = await findReceiver(claimed.org, claimed.channelId)
  // The delivery was deleted together with its channel.
  if (receiver === undefined) return undefined
  const { channel } = receiver
  if (isSkippedWhile(channel.disabledReason, claimed.event)) {
    // It was disabled after the delivery was found. Now that it is, the delivery is skipped with the others.
    await queue.handBack(claimed, now())
    return undefined
  }
  const body = claimed.body ?? renderBody(channel, { ...claimed, context: JSON.parse(claimed.context) })
  if (!(await queue.isClaimed(claimed))) return undefined
  return { body, result: await post(webhookRequest(claimed.id, receiver, body, startedAt), signal) }
}

/**
 * Converts an error of this server to a failed attempt. If the metadata store is unavailable, the error is thrown
 * instead, because the attempt could not be recorded either.
 */
async function orFault(
  { queue, now, logger }: SendDeps,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
  work: () => Promise<Posted | undefined>,
): Promise<Posted | undefined> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) {
      await queue.handBack(claimed, now())
      return undefined
    }
    if (error instanceof Problem && error.code === 'unavailable') throw error
    logger.error({ err: error, org: claimed.org, delivery: claimed.id }, 'Could not send the request of a delivery')
    const isSealed = error instanceof SecretUnreadable
    const fault = isSealed
      ? 'the server does not have the key to the credentials of this channel; set them again'
      : 'the server could not send the request'
    return { body: undefined, result: { kind: 'unanswered', error: fault } }
  }
}

async function record(deps: SendDeps, claimed: ClaimedDelivery, attempt: Attempt): Promise<void> {
  const { results, random, logger, metrics } = deps
  const { org, id, channelId, event, tries } = claimed
  const verdict = judge(attempt.result, { event, tries, now: attempt.endedAt, random })
  const disabled = await results.record(claimed, attempt, verdict)
  metrics.outcomes.inc({ outcome: verdict.state === 'pending' ? 'retried' : verdict.state })
  metrics.duration.observe(durationMsOf(attempt) / 1_000)
  const error = faultOf(attempt.result)
  if (error === undefined) return
  // The URL is not logged, because its path and query often contain a credential.
  const details = { org, channel: channelId, delivery: id, attempt: tries, error, state: verdict.state }
  logger.warn(details, 'A delivery failed')
  if (disabled !== undefined) logger.warn({ org, channel: channelId, reason: disabled }, 'Disabled a channel')
}

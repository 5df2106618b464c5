import type { DeliveriesTable } from '../../metadata/schema.ts'
import type { PostResult } from './post.ts'

/** The state of a delivery after an attempt. `isGone` means that the receiver responded with status 410. */
export type Verdict =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly dueAt: Date }
  | { readonly state: 'failed'; readonly isGone: boolean }

export interface VerdictOptions {
  readonly event: DeliveriesTable['event']
  /** The number of attempts so far, including this one. */
  readonly tries: number
  readonly now: Date
  /** Returns a number of at least 0 and less than 1. */
  readonly random: () => number
}

/** The pauses after the first, second and each further attempt. One more attempt follows the last pause. */
const retryPausesSeconds = [5, 30, 120, 600, 3_600, 10_800, 28_800, 43_200, 86_400] as const

/** Maximum fraction by which pauses vary, so that deliveries that failed together are not retried together. */
const jitter = 0.1

/** The longest pause that a receiver can request. */
const retryAfterSecondsMax = 86_400

/** The longest pause between two attempts, in milliseconds. */
export const pauseMsMax = 1_000 * Math.max(retryAfterSecondsMax, (1 + jitter) * Math.max(...retryPausesSeconds))

/**
 * Returns the state of a delivery after an attempt. Only a 2xx status is a success. Status 410 ends the delivery
 * immediately. A test is attempted only once, because its caller waits for the result.
 */
export function judge(result: PostResult, { event, tries, now, random }: VerdictOptions): Verdict {
  if (faultOf(result) === undefined) return { state: 'delivered' }
  const isGone = result.kind === 'answered' && result.status === 410
  const pauseSeconds = retryPausesSeconds[tries - 1]
  if (isGone || event === 'test' || pauseSeconds === undefined) return { state: 'failed', isGone }
  const retryAfter = result.kind === 'answered' ? result.retryAfter : undefined
  const requestedSeconds = Math.min(retryAfterSeconds(retryAfter, now), retryAfterSecondsMax)
  const scheduledSeconds = pauseSeconds * (1 - jitter + 2 * jitter * random())
  return {
    state: 'pending',
    dueAt: new Date(now.getTime() + Math.max(scheduledSeconds, requestedSeconds) * 1_000),
  }
}

/** Parses a `Retry-After` header, which is a number of seconds or a date (RFC 9110). Returns 0 for any other text. */
function retryAfterSeconds(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  if (/^\d+$/.test(text)) return Number(text)
  const ms = /^[A-Z][a-z]+, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? 0 : Math.max(0, (ms - now.getTime()) / 1_000)
}

/** Returns why an attempt failed, for the delivery log, or undefined if it succeeded. */
export function faultOf(result: PostResult): string | undefined {
  if (result.kind === 'unanswered') return result.error
  const { status } = result
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `the receiver responded with a redirect (${status}), which is not followed`
  if (status === 410) return 'the receiver is gone (410)'
  return `the receiver responded with status ${status}`
}

/** Pauses between the attempts of one delivery, in seconds: after the first one, the second one, … Then it has failed. */
const retryPausesSeconds = [5, 30, 120, 600, 3_600, 10_800, 28_800, 43_200, 86_400] as const

export const attemptsMax = retryPausesSeconds.length + 1

/** Pauses differ by up to this part of them, so that what failed together does not come back together. */
const jitter = 0.1
/** The longest pause that a receiver can ask for. */
const retryAfterSecondsMax = 86_400

export interface RetryOptions {
  /** Attempts so far. */
  readonly tries: number
  readonly retryAfter: string | undefined
  readonly now: Date
  /** From 0 to 1, excluding 1. */
  readonly random: () => number
}

/** When the next attempt is due; undefined when there is none. A receiver may ask for more time than the schedule, not for less. */
export function nextAttemptAt({ tries, retryAfter, now, random }: RetryOptions): Date | undefined {
  const pause = retryPausesSeconds[tries - 1]
  if (pause === undefined) return undefined
  const scheduled = pause * (1 - jitter + 2 * jitter * random())
  const asked = Math.min(retryAfterSeconds(retryAfter, now), retryAfterSecondsMax)
  return new Date(now.getTime() + Math.max(scheduled, asked) * 1_000)
}

/** `Retry-After` as seconds or as a date (RFC 9110); 0 for anything else. */
function retryAfterSeconds(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  if (/^\d+$/.test(text)) return Number(text)
  const moment = /^[A-Z][a-z]+, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? 0 : Math.max(0, (moment - now.getTime()) / 1_000)
}

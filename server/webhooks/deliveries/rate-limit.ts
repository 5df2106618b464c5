import { problem } from '../../problem/problem.ts'

/** A maximum number of actions within a minute, such as retries of one delivery. */
export interface RateLimitOptions {
  readonly perMinuteMax: number
  /** What is limited, as the start of a sentence: `A delivery can be retried`. */
  readonly subject: string
  readonly now: () => Date
}

const minuteMs = 60_000

/** Limits actions by key on this server. */
export class RateLimit {
  private readonly options: RateLimitOptions
  /** Times of the actions of the last minute by key. Keys with the oldest last action come first. */
  private readonly timesByKey = new Map<string, number[]>()

  constructor(options: RateLimitOptions) {
    this.options = options
  }

  /**
   * Counts an action.
   * @throws Problem 429 over the limit; the action is not counted then
   */
  count(key: string): void {
    const { perMinuteMax, subject, now } = this.options
    const nowMs = now().getTime()
    this.forget(nowMs - minuteMs)
    const times = (this.timesByKey.get(key) ?? []).filter((ms) => ms > nowMs - minuteMs)
    const [oldest] = times
    if (oldest !== undefined && times.length >= perMinuteMax) {
      const retryAfterSeconds = Math.max(1, Math.ceil((oldest + minuteMs - nowMs) / 1_000))
      throw problem('too_many_requests', `${subject} at most ${perMinuteMax} times a minute.`, { retryAfterSeconds })
    }
    this.timesByKey.delete(key)
    this.timesByKey.set(key, [...times, nowMs])
  }

  /** Drops the keys whose last action was before a time. */
  private forget(beforeMs: number): void {
    for (const [key, times] of this.timesByKey) {
      if ((times.at(-1) ?? 0) > beforeMs) return
      this.timesByKey.delete(key)
    }
  }
}

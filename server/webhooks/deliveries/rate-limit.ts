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
    // After the clock was set back, actions of the future do not count.
    const isRecent = (ms: number) => ms > nowMs - minuteMs && ms <= nowMs
    this.forget(isRecent)
    const times = (this.timesByKey.get(key) ?? []).filter(isRecent)
    const [oldest] = times
    if (oldest !== undefined && times.length >= perMinuteMax) {
      const retryAfterSeconds = Math.max(1, Math.ceil((oldest + minuteMs - nowMs) / 1_000))
      throw problem('too_many_requests', `${subject} at most ${perMinuteMax} times a minute.`, { retryAfterSeconds })
    }
    this.timesByKey.delete(key)
    this.timesByKey.set(key, [...times, nowMs])
  }

  /** Drops the keys whose last action is not recent. */
  private forget(isRecent: (ms: number) => boolean): void {
    for (const [key, times] of this.timesByKey) {
      if (isRecent(times.at(-1) ?? 0)) return
      this.timesByKey.delete(key)
    }
  }
}

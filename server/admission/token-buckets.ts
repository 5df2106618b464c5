/** The seconds of unused rate that an organization can save for a burst. */
const burstSeconds = 10
/** The number of buckets from which full ones are dropped. A full bucket equals a new one. */
const sweepSize = 1_000

interface Bucket {
  /** Negative after a charge beyond the tokens that were left. */
  tokens: number
  atMs: number
}

/** One token bucket per organization, each refilled at the same rate. */
export class TokenBuckets {
  private readonly perSecond: number
  private readonly now: () => Date
  private readonly buckets = new Map<string, Bucket>()

  constructor(perSecond: number, now: () => Date) {
    this.perSecond = perSecond
    this.now = now
  }

  /** Returns the seconds until the bucket has a token; 0 if it has one. */
  waitSeconds(org: string): number {
    const { tokens } = this.refilled(org)
    return tokens > 0 ? 0 : Math.max(1, Math.ceil(-tokens / this.perSecond))
  }

  /** Takes tokens, also beyond those that are left: the size of a body is known only after it has been read. */
  take(org: string, tokens: number): void {
    this.refilled(org).tokens -= tokens
  }

  private refilled(org: string): Bucket {
    const nowMs = this.now().getTime()
    const full = this.perSecond * burstSeconds
    const bucket = this.buckets.get(org) ?? { tokens: full, atMs: nowMs }
    // A clock that is set back adds nothing.
    const seconds = Math.max(0, nowMs - bucket.atMs) / 1_000
    bucket.tokens = Math.min(full, bucket.tokens + seconds * this.perSecond)
    bucket.atMs = nowMs
    if (this.buckets.size >= sweepSize && !this.buckets.has(org)) this.sweep(nowMs)
    this.buckets.set(org, bucket)
    return bucket
  }

  private sweep(nowMs: number): void {
    for (const [org, { tokens, atMs }] of this.buckets) {
      if (tokens + ((nowMs - atMs) / 1_000) * this.perSecond >= this.perSecond * burstSeconds) this.buckets.delete(org)
    }
  }
}

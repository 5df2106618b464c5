import { setTimeout as sleep } from 'node:timers/promises'
import { problem } from '../problem/problem.ts'

/**
 * Divides a number of concurrent turns fairly between organizations. An organization that is alone may hold all of
 * them. While others were served recently, it may hold `sharedMax`, so that their next turns do not meet a machine that
 * is busy with all of its own. When others wait, a free turn goes to the one that holds the fewest, and among equals to
 * the one that was served the longest time ago. Each organization has its own line, so that a long one delays and
 * refuses nobody else.
 */
export interface FairQueue {
  /**
   * Waits for a turn.
   * @throws too_many_requests when the line of the organization is full or the wait is too long; the reason of `signal`
   * when it aborts
   */
  acquire(org: string, signal?: AbortSignal): Promise<Turn>
  /** The turns that are held, and the callers that wait for one. */
  readonly counts: QueueCounts
}

export interface Turn {
  /** The number of turns that the organization held when it got this one, including it. */
  readonly rank: number
  /** Frees the turn. Another call has no effect. */
  release(): void
}

export interface QueueCounts {
  readonly held: number
  readonly waiting: number
}

export interface FairQueueOptions {
  readonly concurrentMax: number
  /**
   * Further turns for organizations that hold none, so that they need not wait until others, which may hold all turns
   * for long, release one.
   */
  readonly firstTurnsMax: number
  /** Maximum number of callers of one organization that wait, besides one for each turn that it does not hold. */
  readonly waitingPerOrgMax: number
  readonly waitMsMax: number
  /**
   * How long it takes to refuse a caller whose line is full. Clients that ask again at once, as many do whatever
   * `Retry-After` says, would otherwise keep the event loop busy with refusals, which delays everyone's answers.
   */
  readonly refusalMs: number
  /** The turns that an organization may hold while it is not alone. */
  readonly sharedMax: number
  /** How long after its last turn an organization counts, so that others are not alone. */
  readonly recentMs: number
}

/** The turns and the waiting callers of one organization. */
interface Line {
  held: number
  /** The number of the last turn, counted over all organizations. */
  servedAt: number
  /** Runs while the last turn is recent. */
  recent?: NodeJS.Timeout
  readonly waiting: Set<(turn: Turn) => void>
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  return new FairTurns(options)
}

class FairTurns implements FairQueue {
  private readonly options: FairQueueOptions
  private readonly lines = new Map<string, Line>()
  private held = 0
  private waiting = 0
  private served = 0

  constructor(options: FairQueueOptions) {
    this.options = options
  }

  get counts(): QueueCounts {
    return { held: this.held, waiting: this.waiting }
  }

  async acquire(org: string, signal?: AbortSignal): Promise<Turn> {
    signal?.throwIfAborted()
    const line = this.lineOf(org)
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (line.waiting.delete(start)) this.waiting--
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const start = (turn: Turn) => {
        leave()
        resolve(turn)
      }
      const giveUp = (reason: unknown) => {
        leave()
        this.forget(org, line)
        reject(reason)
      }
      const onAbort = () => giveUp(signal?.reason)
      const timer = setTimeout(() => giveUp(tooManyRequests()), this.options.waitMsMax)
      signal?.addEventListener('abort', onAbort)
      line.waiting.add(start)
      this.waiting++
      this.dispatch()
      if (!line.waiting.has(start) || !this.isFull(line)) return
      leave()
      this.forget(org, line)
      void sleep(this.options.refusalMs, undefined, { signal }).then(
        () => reject(tooManyRequests()),
        () => reject(signal?.reason),
      )
    })
  }

  private isFull({ held, waiting }: Line): boolean {
    const { concurrentMax, waitingPerOrgMax } = this.options
    return held + waiting.size > concurrentMax + waitingPerOrgMax
  }

  /** Gives free turns to waiting callers until no turn is free or nobody may take one. */
  private dispatch(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const [org, line] = next
      const [start] = line.waiting
      start?.(this.take(org, line))
    }
  }

  /** Returns the organization that may take a turn now, if any. */
  private next(): readonly [org: string, line: Line] | undefined {
    const { concurrentMax, firstTurnsMax, sharedMax } = this.options
    if (this.held >= concurrentMax + firstTurnsMax) return undefined
    const orgMax = this.lines.size > 1 ? sharedMax : concurrentMax
    let next: readonly [string, Line] | undefined
    for (const [org, line] of this.lines) {
      if (line.waiting.size === 0 || line.held >= orgMax) continue
      if (this.held >= concurrentMax && line.held > 0) continue
      if (next === undefined || isBefore(line, next[1])) next = [org, line]
    }
    return next
  }

  private take(org: string, line: Line): Turn {
    this.held++
    this.served++
    line.held++
    line.servedAt = this.served
    let released = false
    return {
      rank: line.held,
      release: () => {
        if (released) return
        released = true
        this.held--
        line.held--
        this.countAsRecent(org, line)
        this.dispatch()
        this.forget(org, line)
      },
    }
  }

  private lineOf(org: string): Line {
    const line = this.lines.get(org) ?? { held: 0, servedAt: 0, waiting: new Set() }
    this.lines.set(org, line)
    return line
  }

  private countAsRecent(org: string, line: Line): void {
    const { recentMs } = this.options
    if (recentMs === 0) return
    clearTimeout(line.recent)
    line.recent = setTimeout(() => {
      delete line.recent
      this.forget(org, line)
      this.dispatch()
    }, recentMs).unref()
  }

  private forget(org: string, line: Line): void {
    if (line.held === 0 && line.waiting.size === 0 && line.recent === undefined) this.lines.delete(org)
  }
}

function isBefore(left: Line, right: Line): boolean {
  return left.held === right.held ? left.servedAt < right.servedAt : left.held < right.held
}

function tooManyRequests(): Error {
  const detail = 'Too many concurrent requests of your organization to the telemetry store. Retry later.'
  return problem('too_many_requests', detail, { retryAfterSeconds: 1 })
}

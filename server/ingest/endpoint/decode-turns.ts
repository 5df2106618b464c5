/**
 * The time in one turn of the event loop that decoding may take before it waits for the next turn. A step that has
 * begun then still completes.
 */
const turnMsMax = 10

interface Job {
  readonly step: () => boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs the decoding of all bodies in steps. The event loop serves other requests between turns, and the organizations
 * with bodies to decode take turns, so that large bodies of one delay the bodies of another by a step and not by a
 * body.
 */
export class DecodeTurns {
  /** In the order in which organizations take turns. The jobs of one organization run one after the other. */
  private readonly jobs = new Map<string, Job[]>()
  private usedMs = 0
  private nextTurn: NodeJS.Immediate | undefined

  /** Calls `step` until it returns true. Rejects with what it throws. */
  run(org: string, step: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const jobs = this.jobs.get(org) ?? []
      jobs.push({ step, resolve, reject })
      this.jobs.set(org, jobs)
      this.runTurn()
    })
  }

  private runTurn(): void {
    const begin = performance.now() - this.usedMs
    while (this.jobs.size > 0 && this.usedMs < turnMsMax) {
      this.runNext()
      this.usedMs = performance.now() - begin
    }
    this.nextTurn ??= setImmediate(() => {
      this.nextTurn = undefined
      this.usedMs = 0
      if (this.jobs.size > 0) this.runTurn()
    })
  }

  /** Runs one step of the organization whose turn it is. */
  private runNext(): void {
    const [next] = this.jobs
    if (next === undefined) return
    const [org, jobs] = next
    const [job] = jobs
    this.jobs.delete(org)
    if (job === undefined) return
    if (isDone(job)) jobs.shift()
    if (jobs.length > 0) this.jobs.set(org, jobs)
  }
}

function isDone({ step, resolve, reject }: Job): boolean {
  try {
    if (!step()) return false
    resolve()
  } catch (error) {
    reject(error)
  }
  return true
}

/**
 * What a server knows of the stored spans without asking ClickHouse, because nobody else writes to it. Each of these
 * questions would take a few milliseconds of every search.
 */
import { type Query, type StoredSpansRow, storedSpans } from '#sql'

export interface KnownSpans {
  /** All acknowledged spans were stored by this time, in microseconds since 1970 on ClickHouse's clock. */
  readonly storedByMicros: bigint
  /** Whether every span has its entries in the value index, as long as this server stores them. */
  readonly areIndexed: boolean
  /** Reports whether spans of an organization may have been sent again with another start. */
  mayRepeat(org: string): boolean
}

interface Learned extends Pick<KnownSpans, 'areIndexed'> {
  readonly newestMicros: bigint
  readonly repeating: ReadonlySet<string>
}

/** The clock of this machine, which ClickHouse uses too if nobody else writes to it, in milliseconds since 1970. */
const machineMs = Date.now

type ReadOne = (query: Query) => Promise<StoredSpansRow | undefined>

/** Learns about the stored spans once, and keeps up with the inserts of this server. */
export class SpanKnowledge {
  private readonly readOne: ReadOne
  private readonly nowMs: () => number
  /** The organizations for which this server stored repeated spans. */
  private readonly repeating = new Set<string>()
  /** The latest time at which an insert ended, in milliseconds since 1970. */
  private insertedMs = 0
  private learned: Learned | undefined
  /** The number of times that everything was forgotten. */
  private forgotten = 0
  private isLearning = false

  /** `readOne` reads the only row of a query. */
  constructor(readOne: ReadOne, nowMs: () => number = machineMs) {
    this.readOne = readOne
    this.nowMs = nowMs
  }

  /** Returns what is known. If that is nothing yet, returns undefined and asks for it in the background. */
  get known(): KnownSpans | undefined {
    const { learned } = this
    if (learned === undefined) {
      void this.learn()
      return undefined
    }
    const times = [BigInt(this.nowMs()) * 1_000n, BigInt(this.insertedMs) * 1_000n + 999n, learned.newestMicros]
    return {
      storedByMicros: times.reduce((left, right) => (left > right ? left : right)),
      areIndexed: learned.areIndexed,
      mayRepeat: (org) => this.repeating.has(org) || learned.repeating.has(org),
    }
  }

  /** Forgets everything, because a statement may change any row. To be called before and after it. */
  forget(): void {
    this.forgotten++
    this.learned = undefined
  }

  /** Notes the rows of an insert into `table`. */
  async store(table: string, org: string, insert: () => Promise<void>): Promise<void> {
    if (table === 'repeated_spans') this.repeating.add(org)
    const [beganMs, began] = [this.nowMs(), performance.now()]
    try {
      await insert()
    } finally {
      // The clock may have been set back meanwhile, after the rows were stored.
      this.insertedMs = Math.max(this.insertedMs, this.nowMs(), Math.ceil(beganMs + performance.now() - began))
    }
  }

  private async learn(): Promise<void> {
    if (this.isLearning) return
    this.isLearning = true
    const { forgotten } = this
    try {
      const row = await this.readOne(storedSpans())
      if (forgotten === this.forgotten && row !== undefined) this.learned = learnedFrom(row)
    } catch {
      // The next search asks again. A store that does not answer fails that search, too.
    } finally {
      this.isLearning = false
    }
  }
}

function learnedFrom({ newest_micros, has_unindexed, repeating }: StoredSpansRow): Learned {
  return { newestMicros: BigInt(newest_micros), areIndexed: has_unindexed === 0, repeating: new Set(repeating) }
}

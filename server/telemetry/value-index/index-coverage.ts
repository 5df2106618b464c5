import { larger, type TimeWindow } from '#sql'
import { createMemory, type Memory } from '../memory.ts'
import { msPerDay, nsOfMs } from '../time-units.ts'

export interface CoverageOptions {
  readonly now: () => Date
  /** The days after which records are deleted, and their entries somewhat later; undefined for never. */
  readonly retentionDays: number | undefined
  /** The maximum part of a window that may be older than the index. */
  readonly uncoveredMax: number
}

/** What the value index covers, as far as searches have shown it. */
export class IndexCoverage {
  private readonly options: CoverageOptions
  /** The time before which an organization has records without entries. */
  private readonly uncovered: Memory<bigint>

  constructor(options: CoverageOptions) {
    this.options = options
    this.uncovered = createMemory(options.now)
  }

  /**
   * Learns from the result of a lookup: the latest time of a record without entries, in nanoseconds, among those that
   * are at `fromNs` or later; 0 if every record has entries. An earlier time never replaces a later one, because
   * the lookup that found it may have begun before the other, or have had a shorter window.
   * @returns the time from which the index is complete for this lookup, whatever other lookups have found
   */
  learn(org: string, fromNs: bigint, uncoveredNs = '0'): bigint {
    if (uncoveredNs === '0') return fromNs
    const coveredFromNs = BigInt(uncoveredNs) + 1n
    this.exclude(org, coveredFromNs)
    return coveredFromNs
  }

  /** Notes that the index must not be used for records before a time. */
  exclude(org: string, beforeNs: bigint): void {
    if (beforeNs > (this.uncovered.get(org) ?? 0n)) this.uncovered.set(org, beforeNs)
  }

  /** Returns the time from which the index is complete. */
  from(org: string): bigint {
    return larger(this.uncovered.get(org) ?? 0n, retainedFromNs(this.options))
  }

  /**
   * Reports whether the index covers enough of a window. The rest is read without it, and in whole: a value that is in
   * no entry may be frequent there, and a search that stops early would find it sooner.
   */
  includes(org: string, window: TimeWindow): boolean {
    const coveredFromNs = this.from(org)
    const fromNs = larger(window.fromNs, retainedFromNs(this.options))
    const nowNs = nsBefore(this.options.now(), 0)
    const toNs = fromNs < nowNs && nowNs < window.toNs ? nowNs : window.toNs
    const uncovered = Number(larger(coveredFromNs, fromNs) - fromNs) / Number(toNs - fromNs)
    return coveredFromNs < window.toNs && uncovered <= this.options.uncoveredMax
  }
}

/** Returns the time before which records have expired. */
export function retainedFromNs({ now, retentionDays }: Pick<CoverageOptions, 'now' | 'retentionDays'>): bigint {
  return retentionDays === undefined ? 0n : nsBefore(now(), retentionDays)
}

function nsBefore(time: Date, days: number): bigint {
  return nsOfMs(time.getTime() - days * msPerDay)
}

import type { Config } from '../../config/config.ts'
import { msPerDay } from '../../telemetry/time-units.ts'
import { two32 } from '../wire/fixed64.ts'

export type TimeFault = 'too_old' | 'too_far_ahead'

const nsPerMs = 1e6

/**
 * The end of `DateTime`, in 2106. The sort key contains times as `DateTime`, so a window would not find later ones
 * reliably.
 */
const endMs = two32 * 1_000

/**
 * The range of times that are accepted at one moment. Telemetry older than the retention is rejected, because it would
 * be acknowledged and then deleted.
 */
export class AcceptedTimes {
  /** The reasons for rejecting a record, as the text after "3 spans: ". */
  readonly faults: Readonly<Record<TimeFault, string>>
  private readonly fromNs: number
  private readonly toNs: number

  constructor({ times, retentionDays = Number.POSITIVE_INFINITY }: Pick<Config, 'times' | 'retentionDays'>, now: Date) {
    const { ageDaysMax, aheadSecondsMax } = times
    const days = Math.min(ageDaysMax, retentionDays)
    this.fromNs = (now.getTime() - days * msPerDay) * nsPerMs
    this.toNs = Math.min(now.getTime() + aheadSecondsMax * 1_000, endMs) * nsPerMs
    const ageSetting = retentionDays < ageDaysMax ? 'RETENTION_DAYS' : 'SPAN_AGE_DAYS_MAX'
    this.faults = {
      too_old: `the time is more than ${days} days in the past, the limit set by ${ageSetting}`,
      too_far_ahead: `the time is more than ${aheadSecondsMax} s in the future, the limit set by SPAN_AHEAD_MAX`,
    }
  }

  /**
   * Returns the fault of a time in nanoseconds since the epoch, as two unsigned halves, or undefined if it is accepted.
   * Zero is an unset time, which becomes the time of the insert.
   */
  faultOf(low: number, high: number): TimeFault | undefined {
    const ns = high * two32 + low
    if (ns === 0) return undefined
    if (ns < this.fromNs) return 'too_old'
    return ns >= this.toNs ? 'too_far_ahead' : undefined
  }
}

import { describeSeconds, type TimeWindow } from '#sql'
import { comparators } from '../../telemetry/comparator.ts'
import type { ScopedTelemetry } from '../../telemetry/scope.ts'
import { nsOfMs, nsOfSeconds } from '../../telemetry/time-units.ts'
import type { AlertRuleContent, StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { MeasuredValue } from '../rules/transition.ts'

/** Reads the values of one kind of alert rule from its telemetry. */
export interface AlertRuleReader {
  /** Groups rules of one organization into batches that each share a scan. */
  batchesOf(org: string, rules: readonly StoredAlertRule[]): Promise<readonly AlertRuleBatch[]>
  /**
   * Returns the maximum number of evaluation times of a series. It is low if each evaluation time takes a separate
   * query.
   */
  timesMax(org: string, content: AlertRuleContent): Promise<number>
  /** Reads the value of a rule at each evaluation time, for a request. */
  readSeries(
    org: string,
    content: AlertRuleContent,
    times: EvaluationTimes,
    signal: AbortSignal,
  ): Promise<readonly MeasuredValue[]>
  /** Describes what the rule measures, as the subject of a sentence. */
  describe(content: AlertRuleContent, integrationName: string | undefined): string
}

export type AlertRuleReaders = Readonly<Record<AlertRuleContent['kind'], AlertRuleReader>>

/** Rules of one organization whose values are read together. */
export interface AlertRuleBatch {
  readonly rules: readonly StoredAlertRule[]
  /**
   * Reads the values of the given rules of the batch at one evaluation time, in the same order, as background work.
   * Rejects if reading any of them fails.
   */
  read(rules: readonly StoredAlertRule[], atMs: number, signal: AbortSignal): Promise<readonly MeasuredValue[]>
}

/** The telemetry of one organization, as in `ScopedTelemetry`. */
export interface OrgTelemetry extends Omit<ScopedTelemetry, 'scope'> {
  readonly org: string
}

/** Evenly spaced evaluation times, in milliseconds since 1970. */
export interface EvaluationTimes {
  readonly firstMs: number
  readonly intervalMs: number
  readonly count: number
}

/** Returns the window that an evaluation measures, `[at - window, at)`. */
export function windowBefore(atNs: bigint, windowS: number): TimeWindow {
  return { fromNs: atNs - nsOfSeconds(windowS), toNs: atNs }
}

/** Returns the window from the start of the first evaluation's window to the last evaluation. */
export function windowOfTimes({ firstMs, intervalMs, count }: EvaluationTimes, windowS: number): TimeWindow {
  const { fromNs } = windowBefore(nsOfMs(firstMs), windowS)
  return { fromNs, toNs: nsOfMs(firstMs + (count - 1) * intervalMs) }
}

/** What a sentence about a reading says of the rule. */
interface ReadRule extends Pick<AlertRuleContent, 'comparator' | 'threshold' | 'window_s'> {
  readonly measure: string
}

/**
 * Returns a reading as a sentence about `measured`, without a full stop:
 * `the number of failed spans over 5 minutes is 7, which is above 5`. Error rates are in percent.
 */
export function describeReading(
  measured: string,
  { measure, comparator, threshold, window_s }: ReadRule,
  reading: MeasuredValue,
): string {
  const subject = `${measured} over ${describeSeconds(window_s)}`
  if (reading === null) return `${subject} has no data`
  const { holds, words } = comparators[comparator]
  const rounded = roundedOf(reading, threshold)
  const relation = `${holds(reading, threshold) ? '' : 'not '}${words}`
  const written = measure === 'error_rate' ? percent : grouped
  return `${subject} is ${written(rounded)}, which is ${relation} ${written(threshold)}`
}

/** Returns a share in percent, without the last digits, in which 0.07 times 100 is more than 7. */
function percent(share: number): string {
  return `${grouped(Number((share * 100).toPrecision(15)))}%`
}

/** Returns all digits of a number, with separators of thousands. */
function grouped(value: number): string {
  return String(value).replace(/\d+/, (integer) => BigInt(integer).toLocaleString('en'))
}

/**
 * Rounds a reading to four significant digits, or to an integer from 1,000 on. A reading that would reach the threshold
 * or pass it stays exact, so that the sentence about it is true.
 */
function roundedOf(reading: number, threshold: number): number {
  const rounded = Math.abs(reading) < 1_000 ? Number(reading.toPrecision(4)) : Math.round(reading)
  return Math.sign(rounded - threshold) === Math.sign(reading - threshold) ? rounded : reading
}

import { describeSeconds } from '#sql'
import { comparators } from '../../telemetry/comparator.ts'
import type { AlertRuleContent } from '../rules/alert-rule-record.ts'
import type { Reading } from '../rules/transition.ts'

type Watched = Pick<AlertRuleContent, 'comparator' | 'threshold' | 'window_s'>

/**
 * What a reading says, after the name of what was measured:
 * `the number of failed spans over 5 minutes is 7, which is above 5`.
 */
export function describeReading(
  measured: string,
  { comparator, threshold, window_s }: Watched,
  reading: Reading,
): string {
  const subject = `${measured} over ${describeSeconds(window_s)}`
  if (reading === null) return `${subject} has no data`
  const { holds, words } = comparators[comparator]
  return `${subject} is ${reading}, which is ${holds(reading, threshold) ? '' : 'not '}${words} ${threshold}`
}

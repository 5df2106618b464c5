/** IR -> the English sentence that says what was asked. */
import type { Condition } from './ir/condition.ts'
import type { MessageRow, MessageStatus } from './ir/message-query.ts'
import type { TimeWindow } from './ir/scope.ts'
import type { Rule } from './ir/slice.ts'
import { operatorOf, operatorTable } from './operators.ts'
import { rfc3339OfNs } from './time.ts'

export interface DescribedMessages {
  readonly rows: readonly MessageRow[]
  readonly integrationName?: string
  readonly status?: MessageStatus
  readonly window: TimeWindow
}

/** `Messages of integration "Shop" with status error where http.route equals "/pay" (including child spans), from … to ….` */
export function describeMessages({ rows, integrationName, status, window }: DescribedMessages): string {
  const ofIntegration = integrationName === undefined ? '' : ` of integration ${JSON.stringify(integrationName)}`
  const withStatus = status === undefined ? '' : ` with status ${status}`
  const where = rows.length === 0 ? '' : ` where ${rows.map(describeRow).join(' and ')}`
  const span = `from ${rfc3339OfNs(window.fromNs)} to ${rfc3339OfNs(window.toNs)}`
  return `Messages${ofIntegration}${withStatus}${where}, ${span}.`
}

function describeRow({ condition, includesDescendants }: MessageRow): string {
  return `${describeCondition(condition, 'messageWords')}${includesDescendants ? ' (including child spans)' : ''}`
}

/** One condition in the words of whole messages, or of one span, series or record. */
export function describeCondition(
  { attribute, test, negated }: Condition,
  words: 'messageWords' | 'spanWords',
): string {
  const source = attribute.source === 'any' || attribute.source === 'intrinsic' ? '' : `${attribute.source} attribute `
  const key = /^[\w.-]+$/.test(attribute.key) ? attribute.key : JSON.stringify(attribute.key)
  const phrase = operatorTable[operatorOf(test.kind, negated)][words]
  return `${source}${key} ${phrase}${test.kind === 'exists' ? '' : ` ${JSON.stringify(test.value)}`}`
}

/** `Spans of service "checkout" where tenant equals "t-1" and http.route exists (including child spans)`. */
export function describeRule({ service, conditions, includesDescendants }: Rule): string {
  const services = service.kind === 'exact' ? 'service' : 'services like'
  const where =
    conditions.length === 0
      ? ''
      : ` where ${conditions.map((one) => describeCondition(one, 'spanWords')).join(' and ')}`
  return `Spans of ${services} ${JSON.stringify(service.text)}${where}${includesDescendants ? ' (including child spans)' : ''}.`
}

/** Describes queries of the IR in English. */
import { rfc3339OfNs } from '../ids-and-times.ts'
import type { MeasuredSpans } from '../ir/alert.ts'
import type { Condition } from '../ir/condition.ts'
import { isFieldRow, type MessageFilter, type MessageRow, type MessageStatus } from '../ir/message-query.ts'
import type { MetricAggregation, SeriesQuery } from '../ir/metric-query.ts'
import { kindOfRelation, type Relation, relationKinds } from '../ir/relation.ts'
import type { TimeWindow } from '../ir/scope.ts'
import type { Rule } from '../ir/slice.ts'
import { traceMeasureTable } from '../measures.ts'
import { operatorOf, operatorTable } from '../operators.ts'
import { intrinsicKeysOf, logRecords, seriesRecords, spanRecords } from '../record-kinds/record-kinds.ts'

export interface DescribedMessages extends MessageFilter {
  /** Null if the integration has been deleted. */
  readonly integrationName?: string | null
  readonly status?: MessageStatus
  readonly window: TimeWindow | LastSeconds
}

/** A window that ends when the query is run. */
export interface LastSeconds {
  readonly lastS: number
}

/** Returns `Messages of integration "Shop" with status error where http.route equals "/pay", from … to ….` */
export function describeMessages({ rows, relations = [], integrationName, status, window }: DescribedMessages): string {
  const withStatus = status === undefined ? '' : ` with status ${status}`
  const conditions = [...rows.map(describeMessageRow), ...relations.map(describeRelation)]
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  return `Messages${describeIntegration(integrationName)}${withStatus}${where}, ${describeWindow(window)}.`
}

/** Returns ` of integration "Orders"`, or nothing if no integration is named. A deleted one has the name null. */
function describeIntegration(name: string | null | undefined): string {
  if (name === undefined) return ''
  return name === null ? ' of a deleted integration' : ` of integration ${JSON.stringify(name)}`
}

/** Returns `in the last 15 minutes`, in the largest unit that leaves a whole number. */
function describeWindow(window: DescribedMessages['window']): string {
  if (!('lastS' in window)) return `from ${describeTime(window.fromNs)} to ${describeTime(window.toNs)}`
  const { count, unit } = inLargestUnit(window.lastS)
  return `in the last ${count === 1 ? unit : `${count} ${unit}s`}`
}

/** Returns an RFC 3339 time without a fraction or with three, six or nine digits, the fewest that lose nothing. */
function describeTime(ns: bigint): string {
  const text = rfc3339OfNs(ns)
  const zeros = ['000000', '000'].find((each) => text.endsWith(`${each}Z`)) ?? ''
  return `${text.slice(0, -zeros.length - 1)}Z`
}

/** Returns `5 minutes`, in the largest unit that leaves a whole number. */
export function describeSeconds(seconds: number): string {
  const { count, unit } = inLargestUnit(seconds)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function inLargestUnit(seconds: number): { readonly count: number; readonly unit: string } {
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ['second', 1]
  return { count: seconds / length, unit }
}

const units: readonly (readonly [unit: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Returns `customer.id equals "77" (including child spans)` or `message attribute duration_ms is at least "250"`. */
export function describeMessageRow(row: MessageRow): string {
  if (isFieldRow(row)) return `message attribute ${row.field} ${describeTest(row, 'messageWords')}`
  const { condition, includesDescendants } = row
  return `${describeCondition(condition, 'messageWords')}${includesDescendants ? ' (including child spans)' : ''}`
}

/**
 * Returns `a step with (name equals "pay") is not followed within 5 minutes by a step with (name equals "ship")`. The
 * conditions of a step are in parentheses, so that the `and` between them is not taken for the one between relations.
 */
export function describeRelation(relation: Relation): string {
  return `a ${describeStep(relation.from)} ${describeVerb(relation)} a ${describeStep(relation.to)}`
}

/**
 * Returns why a message does not satisfy a relation, such as `the step with (name equals "pay") is followed by a step
 * with (name equals "ship")`. `from` and `to` are the numbers of its steps that satisfy the conditions of each end.
 */
export function describeFailedRelation(
  relation: Relation,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const [first, second] = [describeStep(relation.from), describeStep(relation.to)]
  if (from === 0) return `there is no ${first}`
  if (to === 0) return `there is no ${second}`
  const which = relation.negated ? (from === 1 ? 'the' : 'every') : 'no'
  return `${which} ${first} ${describeVerb({ ...relation, negated: false })} a ${second}`
}

function describeVerb(relation: Relation): string {
  const kind = relationKinds[kindOfRelation(relation)]
  return relation.withinMs === undefined || !('timedWords' in kind)
    ? kind.words
    : `${kind.timedWords} ${describeMilliseconds(relation.withinMs)} by`
}

function describeStep(conditions: readonly Condition[]): string {
  if (conditions.length === 0) return 'step'
  return `step with (${conditions.map((one) => describeCondition(one, 'spanWords')).join(' and ')})`
}

/** Returns `5 minutes` or `1500 milliseconds`, in the largest unit that leaves a whole number. */
function describeMilliseconds(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds % 1_000 === 0) return describeSeconds(milliseconds / 1_000)
  return `${milliseconds} millisecond${milliseconds === 1 ? '' : 's'}`
}

/**
 * Describes a condition on whole messages, or on one span, log record or series. A key in quotes is always that of an
 * attribute, so an attribute that has the name of an intrinsic is quoted.
 */
function describeCondition(condition: Condition, words: Words): string {
  const { attribute } = condition
  const source = attribute.source === 'any' || attribute.source === 'intrinsic' ? '' : `${attribute.source} attribute `
  const isPlain = /^[\w.-]+$/.test(attribute.key)
  const isMistakable = attribute.source === 'any' && intrinsicNames.has(attribute.key)
  const key = isPlain && !isMistakable ? attribute.key : JSON.stringify(attribute.key)
  return `${source}${key} ${describeTest(condition, words)}`
}

/** The names of the intrinsics of all kinds of records. */
const intrinsicNames: ReadonlySet<string> = new Set([spanRecords, logRecords, seriesRecords].flatMap(intrinsicKeysOf))

type Words = 'messageWords' | 'spanWords'

/** Returns `never equals "77"` or `is present`. */
function describeTest({ test, negated }: Pick<Condition, 'test' | 'negated'>, words: Words): string {
  const phrase = operatorTable[operatorOf(test.kind, negated)][words]
  return `${phrase}${test.kind === 'exists' ? '' : ` ${JSON.stringify(test.value)}`}`
}

/** Returns `Log records where body contains "declined" and tenant is not "t-1", in the last hour.` */
export function describeLogRecords(conditions: readonly Condition[], window: TimeWindow | LastSeconds): string {
  return `Log records${describeAll(conditions)}, ${describeWindow(window)}.`
}

function describeAll(conditions: readonly Condition[]): string {
  if (conditions.length === 0) return ''
  return ` where ${conditions.map((one) => describeCondition(one, 'spanWords')).join(' and ')}`
}

/** Returns `Spans of service "checkout" where tenant equals "t-1" and http.route exists (including child spans).` */
export function describeRule({ service, conditions, includesDescendants }: Rule): string {
  const services = service.kind === 'exact' ? 'service' : 'services like'
  const children = includesDescendants ? ' (including child spans)' : ''
  return `Spans of ${services} ${JSON.stringify(service.text)}${describeAll(conditions)}${children}.`
}

/** The number of conditions that a sentence spells out. The others are counted. */
const conditionsSpelledMax = 3

/** Returns `the number of failed spans of service "checkout" where tenant equals "t-1"` */
export function describeMeasured(
  { measure, service, conditions }: Pick<MeasuredSpans, 'measure' | 'service' | 'conditions'>,
  integrationName?: string,
): string {
  const { words } = traceMeasureTable[measure]
  return `the ${words}${describeService(service)}${describeIntegration(integrationName)}${describeFirst(conditions)}`
}

/** Describes the number of messages of a filter, as the subject of a sentence. */
export function describeMessageCount(
  { rows, relations = [] }: Pick<DescribedMessages, 'rows' | 'relations'>,
  integrationName?: string,
): string {
  const conditions = [...rows.map(describeMessageRow), ...relations.map(describeRelation)]
  return `the number of messages${describeIntegration(integrationName)}${joinFirst(conditions)}`
}

function describeService(service: string | undefined): string {
  return service === undefined ? '' : ` of service ${JSON.stringify(service)}`
}

function describeFirst(conditions: readonly Condition[]): string {
  return joinFirst(conditions.map((one) => describeCondition(one, 'spanWords')))
}

/** Returns ` where a exists and b exists and c exists and 2 more`, or nothing if there are no conditions. */
function joinFirst(conditions: readonly string[]): string {
  const spelled = conditions.slice(0, conditionsSpelledMax)
  const more = conditions.length - spelled.length
  const all = more === 0 ? spelled : [...spelled, `${more} more`]
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`
}

const aggregationWords: Readonly<Record<MetricAggregation, string>> = {
  avg: 'average',
  min: 'smallest value',
  max: 'largest value',
  sum: 'sum',
  count: 'count',
  rate: 'rate per second',
  p50: '50th percentile',
  p95: '95th percentile',
  p99: '99th percentile',
  last: 'last value',
}

/** Returns `the rate per second of metric "http.requests" of service "checkout" where http.route equals "/pay"` */
export function describeMetric({
  metric,
  aggregation,
  service,
  conditions,
}: SeriesQuery & { readonly aggregation: MetricAggregation; readonly service?: string }): string {
  const what = `the ${aggregationWords[aggregation]} of metric ${JSON.stringify(metric)}`
  return `${what}${describeService(service)}${describeFirst(conditions)}`
}

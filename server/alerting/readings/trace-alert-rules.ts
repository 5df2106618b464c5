import {
  describeMeasured,
  describeMessageCount,
  isRowWise,
  type MeasuredSpans,
  measuredSeries,
  measuredValues,
  parseConditions,
  parseMessageFilter,
  type Slice,
  type Sql,
  type TimeWindow,
  type TraceMeasure,
  traceMeasureTable,
} from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import type { CountMessages } from '../../messages/search/matching-spans.ts'
import { notFound, raise } from '../../problem/problem.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import { inBatches } from '../../telemetry/in-batches.ts'
import { readInScope } from '../../telemetry/scope.ts'
import { nsOfMs } from '../../telemetry/time-units.ts'
import { messageFilterOf } from '../rules/alert-rule-content.ts'
import { type AlertRuleContent, countsFilter, type StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { MeasuredValue } from '../rules/transition.ts'
import {
  type AlertRuleBatch,
  type AlertRuleReader,
  type EvaluationTimes,
  type OrgTelemetry,
  windowBefore,
  windowOfTimes,
} from './alert-rule-reader.ts'

/** Returns the slice of an integration, or undefined when there is no such integration. */
export type FindIntegrationSlice = (org: string, integrationId: string) => Promise<Slice | undefined>

/**
 * Maximum number of rules per query. Rules of one query share a scan, but the conditions of every rule are tested on
 * every row.
 */
const rulesPerQueryMax = 64

const queryLabel = 'alert rules'
const timesMax = 240
/**
 * Maximum number of evaluation times for a slice that depends on other spans of a trace. Each takes a separate query.
 */
const timesOfWalkedSliceMax = 24
/** Maximum number of evaluation times for which one query aggregates the same span. */
const timesPerSpanMax = 24

export interface TraceReaderDeps {
  readonly clickhouse: ClickHouse
  readonly countMessages: CountMessages
}

/** The telemetry of one organization, and how its messages are counted. */
type CountedTelemetry = OrgTelemetry & Pick<TraceReaderDeps, 'countMessages'>

/** Reads the values of trace alert rules. */
export function traceAlertRules(deps: TraceReaderDeps, findSlice: FindIntegrationSlice): AlertRuleReader {
  const sliceOf = async (org: string, { integration_id: id }: AlertRuleContent) =>
    id === undefined ? undefined : ((await findSlice(org, id)) ?? raise(notFound('integration', id)))
  return {
    async batchesOf(org, rules) {
      const slices = await slicesOf(findSlice, org, rules)
      return groupsOf(rules, slices).map((group) => toBatch(deps, org, group, slices))
    },
    async timesMax(org, content) {
      const isAtOnce = !countsFilter(content) && walkedSlice(await sliceOf(org, content)) === undefined
      return isAtOnce ? timesMax : timesOfWalkedSliceMax
    },
    async readSeries(org, content, times, signal) {
      const slice = await sliceOf(org, content)
      const within = walkedSlice(slice)
      const telemetry = { ...deps, org, signal, isBackground: false }
      if (countsFilter(content)) return readEachCount(telemetry, content, slice, times)
      if (within === undefined) return readSeries(telemetry, toMeasured(content, slice), content.window_s, times)
      return readEach(telemetry, toMeasured(content), { windowS: content.window_s, within }, times)
    },
    describe: (content, integrationName) =>
      countsFilter(content)
        ? describeMessageCount(parseMessageFilter(messageFilterOf(content)), integrationName)
        : describeMeasured(toMeasured(content), integrationName),
  }
}

/** Returns the slice if deciding whether a span belongs to it takes other spans of the trace. */
function walkedSlice(slice: Slice | undefined): Slice | undefined {
  return slice === undefined || isRowWise(slice) ? undefined : slice
}

type Slices = ReadonlyMap<string, Slice | undefined>

async function slicesOf(
  findSlice: FindIntegrationSlice,
  org: string,
  rules: readonly StoredAlertRule[],
): Promise<Slices> {
  const slices = new Map<string, Slice | undefined>()
  for (const { content } of rules) {
    const id = content.integration_id
    if (id !== undefined && !slices.has(id)) slices.set(id, await findSlice(org, id))
  }
  return slices
}

/**
 * Groups rules into queries. The rules of a query have the same window length. A row-wise slice becomes a condition of
 * its rule; any other slice is computed once for all rules of its integration. A rule with a message filter takes a
 * query of its own.
 */
function groupsOf(rules: readonly StoredAlertRule[], slices: Slices): StoredAlertRule[][] {
  const groups = groupedBy(rules, ({ id, content }) => {
    const { window_s, integration_id = '' } = content
    if (countsFilter(content)) return `filter ${id}`
    const isWalked = walkedSlice(slices.get(integration_id)) !== undefined
    return `${window_s} ${isWalked ? integration_id : ''}`
  })
  return [...groups.values()].flatMap((group) => inBatches(group, rulesPerQueryMax))
}

function toBatch(
  deps: TraceReaderDeps,
  org: string,
  rules: readonly StoredAlertRule[],
  slices: Slices,
): AlertRuleBatch {
  const sliceOf = ({ integration_id: id }: AlertRuleContent) =>
    id === undefined ? undefined : (slices.get(id) ?? raise(notFound('integration', id)))
  return {
    rules,
    async read(some, atMs, signal) {
      const contents = some.map(({ content }) => content)
      return readTogether({ ...deps, org, signal, isBackground: true }, contents, sliceOf, nsOfMs(atMs))
    },
  }
}

/** Reads the values of rules that form one group of `groupsOf` in one query. */
async function readTogether(
  telemetry: CountedTelemetry,
  contents: readonly AlertRuleContent[],
  sliceOf: (content: AlertRuleContent) => Slice | undefined,
  atNs: bigint,
): Promise<readonly MeasuredValue[]> {
  const [first] = contents
  if (first === undefined) return []
  if (countsFilter(first)) return [await readMessageCount(telemetry, first, sliceOf(first), atNs)]
  const within = walkedSlice(sliceOf(first))
  const measured = contents.map((content) => toMeasured(content, within === undefined ? sliceOf(content) : undefined))
  return readValues(telemetry, measured, { atNs, windowS: first.window_s, within })
}

/** Reads the values that rules over one integration have with a slice in place of the slice of the integration. */
export async function readValuesWithin(
  telemetry: CountedTelemetry,
  rules: readonly StoredAlertRule[],
  slice: Slice,
  atNs: bigint,
): Promise<ReadonlyMap<StoredAlertRule, MeasuredValue>> {
  const slices = new Map(rules.map(({ content: { integration_id: id = '' } }) => [id, slice]))
  const values = new Map<StoredAlertRule, MeasuredValue>()
  for (const group of groupsOf(rules, slices)) {
    const contents = group.map(({ content }) => content)
    const read = await readTogether(telemetry, contents, () => slice, atNs)
    for (const [index, rule] of group.entries()) values.set(rule, read[index] ?? null)
  }
  return values
}

/** Counts the messages of a rule with a message filter. */
async function readMessageCount(
  { org, countMessages, ...telemetry }: CountedTelemetry,
  content: AlertRuleContent,
  slice: Slice | undefined,
  atNs: bigint,
): Promise<number> {
  const query = { ...parseMessageFilter(messageFilterOf(content)), ...(slice === undefined ? {} : { slice }) }
  const scope = { org, window: windowBefore(atNs, content.window_s) }
  return Number((await countMessages({ ...telemetry, scope }, query, queryLabel)).message_count)
}

async function readEachCount(
  telemetry: CountedTelemetry,
  content: AlertRuleContent,
  slice: Slice | undefined,
  { firstMs, intervalMs, count }: EvaluationTimes,
): Promise<MeasuredValue[]> {
  const values: MeasuredValue[] = []
  for (let at = 0; at < count; at += 1)
    values.push(await readMessageCount(telemetry, content, slice, nsOfMs(firstMs + at * intervalMs)))
  return values
}

/** Takes a checked rule, whose measure is a trace measure. */
function toMeasured({ measure, conditions, service }: AlertRuleContent, slice?: Slice): MeasuredSpans {
  return {
    measure: measure as TraceMeasure,
    conditions: parseConditions(conditions),
    ...(service === undefined ? {} : { service }),
    ...(slice === undefined ? {} : { slice }),
  }
}

interface ValuesWindow {
  readonly atNs: bigint
  readonly windowS: number
  /** Restricts the values to the spans of this slice. */
  readonly within?: Slice | undefined
}

/** Reads several values over one window in one query. */
export async function readValues(
  telemetry: OrgTelemetry,
  measured: readonly MeasuredSpans[],
  { atNs, windowS, within }: ValuesWindow,
): Promise<MeasuredValue[]> {
  const [row] = await readRows(telemetry, measuredValues(measured, within), windowBefore(atNs, windowS))
  return measured.map((_, index) => row?.[`value_${index}`] ?? null)
}

/**
 * Reads the values of a rule in one query. Uses several queries if the memory of a value grows with the number of spans
 * and one query would aggregate a span for too many evaluation times.
 */
async function readSeries(
  telemetry: OrgTelemetry,
  measured: MeasuredSpans,
  windowS: number,
  { firstMs, intervalMs, count }: EvaluationTimes,
): Promise<MeasuredValue[]> {
  const timesPerSpan = Math.ceil((windowS * 1_000) / intervalMs)
  const isHeavy = traceMeasureTable[measured.measure].growsWithSpans && timesPerSpan > timesPerSpanMax
  const perQuery = isHeavy ? timesPerSpanMax : count
  const values: MeasuredValue[] = []
  for (let at = 0; at < count; at += perQuery) {
    const times = { firstMs: firstMs + at * intervalMs, intervalMs, count: Math.min(perQuery, count - at) }
    values.push(...(await readSeriesAtOnce(telemetry, measured, windowS, times)))
  }
  return values
}

async function readSeriesAtOnce(
  telemetry: OrgTelemetry,
  measured: MeasuredSpans,
  windowS: number,
  times: EvaluationTimes,
): Promise<MeasuredValue[]> {
  const { firstMs, intervalMs, count } = times
  const query = measuredSeries(measured, {
    fromNs: nsOfMs(firstMs),
    intervalNs: nsOfMs(intervalMs),
    points: count,
    windowNs: nsOfMs(windowS * 1_000),
  })
  const rows = await readRows(telemetry, query, windowOfTimes(times, windowS))
  const byPoint = new Map(rows.map(({ point, value_0 }) => [Number(point), value_0 ?? null]))
  const { withoutSpans } = traceMeasureTable[measured.measure]
  return Array.from({ length: count }, (_, point) => byPoint.get(point) ?? (byPoint.has(point) ? null : withoutSpans))
}

/** Reads the values of a rule one by one. */
async function readEach(
  telemetry: OrgTelemetry,
  measured: MeasuredSpans,
  window: Omit<ValuesWindow, 'atNs'>,
  { firstMs, intervalMs, count }: EvaluationTimes,
): Promise<MeasuredValue[]> {
  const values: MeasuredValue[] = []
  for (let at = 0; at < count; at += 1) {
    const atNs = nsOfMs(firstMs + at * intervalMs)
    const [value = null] = await readValues(telemetry, [measured], { ...window, atNs })
    values.push(value)
  }
  return values
}

type Row = Readonly<Record<string, number | null>>

function readRows({ org, ...telemetry }: OrgTelemetry, query: Sql, window: TimeWindow): Promise<Row[]> {
  return readInScope({ ...telemetry, scope: { org, window } }, query, queryLabel)
}

import { checkConditions, describeMeasured, isRowWise, type Slice, traceMeasures } from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { notFound, raise, refused } from '../../problem/problem.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import type { AlertRuleContent, StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { AlertRuleBatch, AlertRuleReader } from './alert-rule-reader.ts'
import { readMoments, readSeries, readValues, toMeasured } from './trace-values.ts'

export interface TraceRuleParts {
  readonly clickhouse: ClickHouse
  /** The slice of an integration; undefined when there is none. */
  readonly findSlice: (org: string, integrationId: string) => Promise<Slice | undefined>
}

/** Rules of one query: the scan is shared by all of them, and each adds its conditions to every row. */
const rulesPerQueryMax = 64

const pointsMax = 240
/** Where spans of a slice depend on others of their trace, every window has a slice of its own, and is a query of its own. */
const walkedPointsMax = 24

/** Rules about spans. */
export function traceAlertRules(parts: TraceRuleParts): AlertRuleReader {
  return {
    check,
    refuse,
    describe: (content, integrationName) => describeMeasured(toMeasured(content), integrationName),
    batchesOf: (org, rules) => batchesOf(parts, org, rules),
    async pointsMax(org, content) {
      return walkedSlice(await sliceOf(parts, org, content)) === undefined ? pointsMax : walkedPointsMax
    },
    async readSeries(org, content, moments, signal) {
      const slice = await sliceOf(parts, org, content)
      const within = walkedSlice(slice)
      const telemetry = { clickhouse: parts.clickhouse, org, signal }
      const windowS = content.window_s
      if (within === undefined) return readSeries(telemetry, toMeasured(content, slice), windowS, moments)
      return readMoments(telemetry, toMeasured(content), { windowS, within }, moments)
    },
  }
}

function check({ conditions }: AlertRuleContent, pointer: string): void {
  checkConditions(conditions, undefined, `${pointer}/conditions`)
}

function refuse({ measure, metric }: AlertRuleContent, pointer: string): void {
  if (!traceMeasures.some((known) => known === measure))
    throw refused(`${pointer}/measure`, 'not_of_kind', `Spans have no measure ${measure}.`)
  if (metric !== undefined) throw refused(`${pointer}/metric`, 'not_of_kind', 'A rule about spans has no metric.')
}

async function sliceOf(
  parts: TraceRuleParts,
  org: string,
  { integration_id }: AlertRuleContent,
): Promise<Slice | undefined> {
  if (integration_id === undefined) return undefined
  return (await parts.findSlice(org, integration_id)) ?? raise(notFound('integration', integration_id))
}

/** The slice when it takes more than a span's own columns to decide about it. */
function walkedSlice(slice: Slice | undefined): Slice | undefined {
  return slice === undefined || isRowWise(slice) ? undefined : slice
}

/**
 * Rules with one window share a query. A slice that every span decides for itself is one more condition of its rules; any
 * other is computed once for the rules of its integration.
 */
async function batchesOf(
  parts: TraceRuleParts,
  org: string,
  rules: readonly StoredAlertRule[],
): Promise<AlertRuleBatch[]> {
  const slices = new Map<string, Slice | undefined>()
  for (const { integration_id: id } of rules)
    if (id !== undefined && !slices.has(id)) slices.set(id, await parts.findSlice(org, id))
  const groups = groupedBy(rules, ({ window_s, integration_id = '' }) => {
    const isWalked = walkedSlice(slices.get(integration_id)) !== undefined
    return `${window_s} ${isWalked ? integration_id : ''}`
  })
  return [...groups.values()].flatMap(chunks).map((batch) => toBatch(parts, org, batch, slices))
}

function toBatch(
  { clickhouse }: TraceRuleParts,
  org: string,
  rules: readonly StoredAlertRule[],
  slices: ReadonlyMap<string, Slice | undefined>,
): AlertRuleBatch {
  const sliceNamed = ({ integration_id: id }: AlertRuleContent) =>
    id === undefined ? undefined : (slices.get(id) ?? raise(notFound('integration', id)))
  return {
    rules,
    async read(asked, atMs, signal) {
      const [first] = asked
      if (first === undefined) return []
      const within = walkedSlice(sliceNamed(first))
      const measured = asked.map((rule) => toMeasured(rule, within === undefined ? sliceNamed(rule) : undefined))
      return readValues({ clickhouse, org, signal }, measured, { atMs, windowS: first.window_s, within })
    },
  }
}

function chunks(rules: readonly StoredAlertRule[]): StoredAlertRule[][] {
  const count = Math.ceil(rules.length / rulesPerQueryMax)
  return Array.from({ length: count }, (_, at) => rules.slice(at * rulesPerQueryMax, (at + 1) * rulesPerQueryMax))
}

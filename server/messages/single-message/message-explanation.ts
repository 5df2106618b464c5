/** Explains whether a message matches a query, and why (docs/questions.md, section 15). */
import {
  type Attribute,
  describeMessageRow,
  describeRelation,
  describeRule,
  type ExplainedFieldsRow,
  explainedFields,
  explainedValues,
  hasBit,
  hexOfSpanId,
  isFieldRow,
  isStepRow,
  type MessageQuery,
  type MessageRow,
  rfc3339OfNs,
  type Slice,
  servicesJoinedByOr,
  spansOutside,
  traceIdOfHex,
} from '#sql'
import type { components } from '../../../openapi/types.ts'
import { notFound } from '../../problem/problem.ts'
import { toAttribute } from '../../telemetry/attribute-record.ts'
import { readInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import { type Evidence, endsOf, positiveRows, readEvidence, type Step } from './message-evidence.ts'
import { describeVerdict } from './message-verdict.ts'

type Schemas = components['schemas']
export type Explanation = Schemas['MessageExplanation']
type StepList = Schemas['ExplainedSteps']

/** The maximum number of steps that each list of an explanation names. Their counts are not limited. */
const stepsListedMax = 20

const label = 'message explanation'

export interface ExplainedMessage {
  /** The telemetry of the query's window. */
  readonly telemetry: ScopedTelemetry
  /** The telemetry of all times, for the spans outside the window. */
  readonly retained: ScopedTelemetry
  readonly query: MessageQuery
  readonly hexTraceId: string
}

/**
 * Explains a message. It reads the message once for the tests of its spans, and then only the values that it shows.
 * @throws Problem 404 if the message has no visible span at any time
 */
export async function explainMessage(message: ExplainedMessage): Promise<Explanation> {
  const { telemetry, query, hexTraceId } = message
  const traceId = traceIdOfHex(hexTraceId)
  const evidence = await readEvidence(telemetry, query, traceId)
  const findings = query.rows.map((row, index) => findRow(query, row, index, evidence))
  const [taggedOf, fields, outside] = await Promise.all([
    readValues(telemetry, traceId, query, findings),
    readFields(telemetry, traceId, query, evidence),
    readOutside(message, traceId, evidence, findings),
  ])
  if (evidence.steps.length === 0 && outside.span_count === 0) throw notFound('message', hexTraceId)
  const rows = findings.map((finding, index) => toRow(query, finding, index, { taggedOf, fields }))
  const relations = (query.relations ?? []).map((relation, index) => ({
    summary: describeRelation(relation),
    holds: (evidence.related[index] ?? []).length > 0,
    witnesses: toList(evidence.related[index] ?? []),
    from: toList(endsOf(evidence.steps, index, 'from')),
    to: toList(endsOf(evidence.steps, index, 'to')),
  }))
  const found = statusOf(evidence)
  const status = { asked: query.status ?? null, found }
  const matches =
    evidence.anchors.length > 0 &&
    [...rows, ...relations].every(({ holds }) => holds) &&
    (query.status === undefined || query.status === found)
  const closest = closestStep(query, evidence, findings)
  const explained = {
    trace_id: hexTraceId,
    matches,
    rows,
    relations,
    anchors: { ...toList(evidence.anchors), ...(closest === undefined ? {} : { closest }) },
    ...(query.slice === undefined ? {} : { integration: explainSlice(query.slice, evidence) }),
    status,
    outside: { window: outside.changing_count, slice: outside.slice },
  }
  const hasPositiveRows = findings.some(({ kind }) => kind === 'positive')
  const facts = { stepCount: evidence.steps.length, hasPositiveRows, relations: query.relations ?? [] }
  return { ...explained, verdict: describeVerdict(explained, facts) }
}

function statusOf({ matched }: Evidence): 'ok' | 'error' | null {
  if (matched.length === 0) return null
  return matched.some(({ is_error }) => is_error === 1) ? 'error' : 'ok'
}

/** What the steps say about a row. */
type Finding =
  | { readonly kind: 'field'; readonly row: MessageRow }
  | {
      readonly kind: 'positive' | 'negative'
      readonly row: MessageRow
      readonly attribute: Attribute
      /** The position of the row among the rows about steps. */
      readonly position: number
      /** The steps that make the positive form of the row true: of the scope for a positive row, else of all. */
      readonly steps: readonly Step[]
      /** The steps of the scope that carry the attribute. */
      readonly carrying: readonly Step[]
    }

function findRow(query: MessageQuery, row: MessageRow, index: number, { steps, scope }: Evidence): Finding {
  if (isFieldRow(row)) return { kind: 'field', row }
  const { attribute, negated } = row.condition
  const position = query.rows.slice(0, index).filter(isStepRow).length
  const isTrue = (step: Step) => hasBit(step.row_bits, position)
  return {
    kind: negated ? 'negative' : 'positive',
    row,
    attribute,
    position,
    steps: (negated ? steps : scope).filter(isTrue),
    carrying: scope.filter((step) => hasBit(step.carried_bits, position)),
  }
}

function holds(finding: Exclude<Finding, { kind: 'field' }>): boolean {
  return finding.kind === 'positive' ? finding.steps.length > 0 : finding.steps.length === 0
}

/** Returns the steps whose value of the row's attribute an explanation shows. */
function shownValues(finding: Finding): readonly Step[] {
  if (finding.kind === 'field' || holds(finding)) return []
  return (finding.kind === 'positive' ? finding.carrying : finding.steps).slice(0, stepsListedMax)
}

type TaggedOf = (step: Step, position: number) => string

/** Reads the tagged texts of the attributes of rows, for the steps that show them. */
async function readValues(
  telemetry: ScopedTelemetry,
  traceId: string,
  { rows }: MessageQuery,
  findings: readonly Finding[],
): Promise<TaggedOf> {
  const attributes = rows.filter(isStepRow).map((row) => row.condition.attribute)
  const spanIds = [...new Set(findings.flatMap(shownValues).map(({ span_id }) => span_id))]
  if (spanIds.length === 0) return () => ''
  const query = explainedValues(traceId, spanIds, attributes)
  const read = await readInScope<{ span_id: string; tagged: readonly string[] }>(telemetry, query, label)
  const byId = new Map(read.map(({ span_id, tagged }) => [span_id, tagged]))
  return ({ span_id }, position) => byId.get(span_id)?.[position] ?? ''
}

/** Reads for each row about a field of the message whether it holds, and the text of the field. */
async function readFields(
  telemetry: ScopedTelemetry,
  traceId: string,
  query: MessageQuery,
  { matched }: Evidence,
): Promise<ExplainedFieldsRow> {
  if (!query.rows.some(isFieldRow)) return { holds: [], texts: [] }
  const steps = {
    step_count: matched.length,
    failed_step_count: matched.filter(({ is_error }) => is_error === 1).length,
  }
  const [read] = await readInScope<ExplainedFieldsRow>(telemetry, explainedFields(query, traceId, steps), label)
  return read ?? { holds: [], texts: [] }
}

interface Outside {
  readonly span_count: number
  readonly changing_count: number
  /** The steps of the window outside the slice that would make a failing row true. */
  readonly slice: number
}

async function readOutside(
  { telemetry, retained, query }: ExplainedMessage,
  traceId: string,
  { steps }: Evidence,
  findings: readonly Finding[],
): Promise<Outside> {
  // More steps can only make a positive row true that fails, and refute a negative row that holds.
  const changing = findings.flatMap((each) =>
    each.kind !== 'field' && holds(each) === (each.kind === 'negative') ? [each] : [],
  )
  const positions = changing.map(({ position }) => position)
  const positive = changing.filter(({ kind }) => kind === 'positive')
  const slice = steps.filter(
    (step) => step.is_in_scope === 0 && positive.some(({ position }) => hasBit(step.row_bits, position)),
  ).length
  const outside = spansOutside(query, traceId, telemetry.scope.window, positions)
  const [row] = await readInScope<{ span_count: string; changing_count: string }>(retained, outside, label)
  return { slice, span_count: Number(row?.span_count ?? 0), changing_count: Number(row?.changing_count ?? 0) }
}

interface ReadEvidence {
  readonly taggedOf: TaggedOf
  readonly fields: ExplainedFieldsRow
}

function toRow(
  { rows }: MessageQuery,
  finding: Finding,
  index: number,
  { taggedOf, fields }: ReadEvidence,
): Schemas['ExplainedRow'] {
  const summary = describeMessageRow(finding.row)
  const none = toList([])
  if (finding.kind === 'field') {
    const position = rows.slice(0, index).filter(isFieldRow).length
    const value = fields.texts[position]
    return { summary, holds: fields.holds[position] === 1, witnesses: none, ...(value === undefined ? {} : { value }) }
  }
  const isHeld = holds(finding)
  const withValues = (steps: readonly Step[]) => ({
    count: steps.length,
    steps: steps.slice(0, stepsListedMax).map((step) => {
      const { type, value } = toAttribute(finding.attribute.key, taggedOf(step, finding.position))
      return { ...toStep(step), type, value }
    }),
  })
  if (finding.kind === 'negative')
    return { summary, holds: isHeld, witnesses: none, ...(isHeld ? {} : { refuted_by: withValues(finding.steps) }) }
  if (isHeld) return { summary, holds: true, witnesses: toList(finding.steps) }
  const { carrying } = finding
  return {
    summary,
    holds: false,
    witnesses: none,
    ...(carrying.length === 0 ? { absent: true } : { nearest: withValues(carrying) }),
  }
}

function toList(steps: readonly Step[]): StepList {
  return { count: steps.length, steps: steps.slice(0, stepsListedMax).map(toStep) }
}

function toStep({ span_id, service, name, startNs }: Step): Schemas['ExplainedStep'] {
  return { span_id: hexOfSpanId(span_id), service, name, started_at: rfc3339OfNs(startNs) }
}

/**
 * Returns the step that makes most positive rows true, and the positions of the rows that it misses, if each of them
 * holds for some step but no step makes all of them true.
 */
function closestStep(
  query: MessageQuery,
  { anchors, scope }: Evidence,
  findings: readonly Finding[],
): Schemas['ClosestStep'] | undefined {
  const positive = positiveRows(query)
  const areAllHeld = findings.every((finding) => finding.kind !== 'positive' || holds(finding))
  if (anchors.length > 0 || positive.length === 0 || !areAllHeld) return undefined
  const countOf = (step: Step) => positive.filter((position) => hasBit(step.row_bits, position)).length
  const [first, ...others] = scope
  if (first === undefined) return undefined
  const closest = others.reduce((best, step) => (countOf(step) > countOf(best) ? step : best), first)
  const misses = findings.flatMap((finding, index) =>
    finding.kind === 'positive' && !hasBit(closest.row_bits, finding.position) ? [index] : [],
  )
  return { step: toStep(closest), misses }
}

function explainSlice(slice: Slice, { steps, scope, below }: Evidence): Schemas['ExplainedIntegration'] {
  const inSlice = new Set(scope)
  const satisfiesAny = (step: Step) => slice.rules.some((_, index) => hasBit(step.rule_bits, index))
  const rules = slice.rules.map((rule, index) => {
    const witnesses = steps.filter((step) => hasBit(step.rule_bits, index))
    const taken = rule.includesDescendants
      ? [...below(witnesses)].filter((step) => inSlice.has(step) && !satisfiesAny(step))
      : []
    return {
      summary: describeRule(rule),
      satisfied: witnesses.length > 0,
      witnesses: toList(witnesses),
      descendant_count: taken.length,
    }
  })
  const isOrUnderAll = slice.mode === 'all' && servicesJoinedByOr(slice.rules).length > 0
  return { rule_match: slice.mode, span_count: scope.length, or_under_all: isOrUnderAll, rules }
}

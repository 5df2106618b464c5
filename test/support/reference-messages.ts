import { type Condition, holds } from './reference-condition.ts'
import { descendants, groupByTrace } from './reference-descendants.ts'
import { type Integration, slice } from './reference-integration.ts'
import { type FieldRow, fieldHolds, isFieldRow } from './reference-message-fields.ts'
import { isNegative, positiveForm } from './reference-operators.ts'
import { byStart } from './reference-population.ts'
import { type Relation, stepsOfRelation } from './reference-relations.ts'
import type { SpanModel } from './span-model.ts'

/** A row about the steps of a message. */
export interface SpanRow extends Condition {
  readonly includeDescendants?: boolean
}

export type Row = SpanRow | FieldRow

export interface MessageQuery {
  readonly rows: readonly Row[]
  readonly relations?: readonly Relation[]
  readonly integration?: Integration
  readonly status?: 'ok' | 'error'
}

/** A message that a search finds. Lists all matched steps, oldest first. */
export interface Message {
  readonly traceId: string
  readonly startedNs: bigint
  readonly durationNs: bigint
  readonly status: 'ok' | 'error'
  readonly root: SpanModel
  /** Distinct, in code point order. */
  readonly services: readonly string[]
  readonly spanCount: number
  readonly errorCount: number
  readonly matchedSteps: readonly SpanModel[]
}

export interface MessageCounts {
  readonly message_count: number
  readonly error_message_count: number
  readonly matched_step_count: number
  readonly error_step_count: number
}

/**
 * Returns the messages that a valid query finds in the population, newest first (docs/semantics.md, section 6). Rows on
 * fields of the message test what the other rows have found (docs/questions.md, section 10). The steps that satisfy a
 * relation are matched steps too, and without positive rows the only ones (section 16).
 */
export function searchMessages(population: readonly SpanModel[], query: MessageQuery): Message[] {
  const scope = query.integration === undefined ? undefined : slice(query.integration, population)
  const fieldRows = query.rows.filter(isFieldRow)
  const rows = query.rows.filter((row) => !isFieldRow(row))
  const { relations = [] } = query
  const found: Message[] = []
  for (const [traceId, trace] of groupByTrace(population)) {
    const scopeOfTrace = scope === undefined ? trace : trace.filter((span) => scope.has(span))
    const anchored = stepsOfAnchors(trace, scopeOfTrace, rows)
    const related = relations.map((relation) => stepsOfRelation(relation, trace))
    if (anchored.length === 0 || related.some((steps) => steps.length === 0)) continue
    if (isRefuted(trace, rows)) continue
    const message = describeMessage(traceId, trace, matchedSteps(anchored, related, rows))
    const hasStatus = query.status === undefined || query.status === message.status
    if (hasStatus && fieldRows.every((row) => fieldHolds(row, message))) found.push(message)
  }
  return found.sort(newestFirst)
}

/** Returns the anchors of a trace and, if a row includes child spans, the spans below them. */
export function stepsOfAnchors(
  trace: readonly SpanModel[],
  scope: readonly SpanModel[],
  rows: readonly SpanRow[],
): SpanModel[] {
  const positive = rows.filter((row) => !isNegative(row))
  const anchors = scope.filter((span) => positive.every((row) => holds(row, span)))
  if (!rows.some((row) => row.includeDescendants === true)) return anchors
  return [...new Set([...anchors, ...descendants(anchors, trace)])]
}

/** Joins the steps of the anchors with those that satisfy each relation, which without positive rows are alone. */
export function matchedSteps(
  anchored: readonly SpanModel[],
  related: readonly (readonly SpanModel[])[],
  rows: readonly SpanRow[],
): SpanModel[] {
  const areAnchorsMatched = related.length === 0 || rows.some((row) => !isNegative(row))
  return [...new Set([...(areAnchorsMatched ? anchored : []), ...related.flat()])]
}

/** A negative row is a claim about the whole message: one span that makes its positive form true refutes it. */
function isRefuted(trace: readonly SpanModel[], rows: readonly SpanRow[]): boolean {
  return rows.some((row) => isNegative(row) && trace.some((span) => holds(positiveForm(row), span)))
}

export function describeMessage(traceId: string, trace: readonly SpanModel[], steps: readonly SpanModel[]): Message {
  const oldestFirst = trace.toSorted(byStart)
  const first = oldestFirst[0] as SpanModel
  const root = oldestFirst.find((span) => span.parentId === '') ?? first
  const endNs = trace
    .map((span) => span.startNs + span.durationNs)
    .reduce((left, right) => (left > right ? left : right))
  return {
    traceId,
    startedNs: first.startNs,
    durationNs: endNs - first.startNs,
    status: steps.some(isError) ? 'error' : 'ok',
    root,
    services: [...new Set(trace.map((span) => span.service))].sort(),
    spanCount: trace.length,
    errorCount: trace.filter(isError).length,
    matchedSteps: steps.toSorted(byStart),
  }
}

function isError(span: SpanModel): boolean {
  return span.status === 'error'
}

/** Compares by start descending, then by trace id descending, which is the order of a search. */
export function newestFirst(left: Pick<Message, 'startedNs' | 'traceId'>, right: typeof left): number {
  if (left.startedNs !== right.startedNs) return left.startedNs > right.startedNs ? -1 : 1
  return left.traceId > right.traceId ? -1 : Number(left.traceId < right.traceId)
}

/** Returns the messages after a cursor, which is the start and trace id of the last message of a page. */
export function pageAfter(
  found: readonly Message[],
  after: Pick<Message, 'startedNs' | 'traceId'> | null,
  limit: number,
) {
  return found.filter((message) => after === null || newestFirst(after, message) < 0).slice(0, limit)
}

export function countMessages(population: readonly SpanModel[], query: MessageQuery): MessageCounts {
  return countsOfMessages(searchMessages(population, query))
}

/** Counts the messages that a search found. */
export function countsOfMessages(found: readonly Message[]): MessageCounts {
  const steps = found.flatMap((message) => message.matchedSteps)
  return {
    message_count: found.length,
    error_message_count: found.filter((message) => message.status === 'error').length,
    matched_step_count: steps.length,
    error_step_count: steps.filter(isError).length,
  }
}

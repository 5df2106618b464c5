import { type AttributeSource, readAttribute, textOf } from './reference-attribute.ts'
import { holds } from './reference-condition.ts'
import { slice, spansOfRules } from './reference-integration.ts'
import { type FieldRow, fieldHolds, fieldOf, isFieldRow } from './reference-message-fields.ts'
import {
  describeMessage,
  type Message,
  type MessageQuery,
  matchedSteps,
  type Row,
  type SpanRow,
  searchMessages,
  stepsOfAnchors,
} from './reference-messages.ts'
import { isNegative, positiveForm } from './reference-operators.ts'
import { byStart } from './reference-population.ts'
import { stepsOfRelation, stepsWith } from './reference-relations.ts'
import type { SpanModel } from './span-model.ts'

const listedMax = 20

/** The count of spans and the ids of the oldest 20. */
export interface ListedSpans {
  readonly count: number
  readonly ids: readonly string[]
}

function listOf(spans: readonly SpanModel[]): ListedSpans {
  const ids = spans.toSorted(byStart).map(({ spanId }) => spanId)
  return { count: spans.length, ids: ids.slice(0, listedMax) }
}

/**
 * Explains a message (docs/questions.md, section 15). `trace` is its population, each span once, and `outside` its
 * visible spans outside the window.
 */
export function explain(trace: readonly SpanModel[], outside: readonly SpanModel[], query: MessageQuery) {
  const scope = query.integration === undefined ? trace : [...slice(query.integration, trace)]
  const stepRows = query.rows.filter((row) => !isFieldRow(row))
  const positive = stepRows.filter((row) => !isNegative(row))
  const anchors = stepsWith(positive, scope)
  const relations = query.relations ?? []
  const related = relations.map((relation) => stepsOfRelation(relation, trace))
  const matched = matchedSteps(stepsOfAnchors(trace, scope, stepRows), related, stepRows)
  const message = trace[0] && describeMessage(trace[0].traceId, trace, matched)
  return {
    matches: searchMessages(trace, query).length > 0,
    rows: query.rows.map((row) => (isFieldRow(row) ? fieldRowHolds(row, message) : explainRow(row, trace, scope))),
    relations: relations.map(({ from, to }, index) => ({
      witnesses: listOf(related[index] ?? []),
      from: listOf(stepsWith(from, trace)),
      to: listOf(stepsWith(to, trace)),
    })),
    anchors: listOf(anchors),
    closest: closest(query.rows, positive, scope, anchors),
    integration: query.integration && {
      span_count: scope.length,
      rules: spansOfRules(query.integration, trace).map(({ witnesses, below }) => ({
        satisfied: witnesses.length > 0,
        witnesses: listOf(witnesses),
        descendant_count: below.length,
      })),
    },
    found: matched.length === 0 ? null : message?.status,
    outside: {
      window: outside.filter((span) => stepRows.some((row) => wouldChange(row, span, trace, scope))).length,
      slice: trace
        .filter((span) => !scope.includes(span))
        .filter((span) => positive.some((row) => wouldChange(row, span, trace, scope))).length,
    },
  }
}

function fieldRowHolds(row: FieldRow, message: Message | undefined) {
  if (message === undefined) return { holds: false }
  return { holds: fieldHolds(row, message), value: textOf(fieldOf(message, row.attribute_key)) }
}

function explainRow(row: SpanRow, trace: readonly SpanModel[], scope: readonly SpanModel[]) {
  if (isNegative(row)) {
    const refuting = trace.filter((span) => holds(positiveForm(row), span))
    return refuting.length === 0
      ? { holds: true, witnesses: listOf([]) }
      : { holds: false, refuted_by: listOf(refuting) }
  }
  const witnesses = scope.filter((span) => holds(row, span))
  if (witnesses.length > 0) return { holds: true, witnesses: listOf(witnesses) }
  const carrying = scope.filter((span) => carries(row, span))
  return carrying.length === 0 ? { holds: false, absent: true } : { holds: false, nearest: listOf(carrying) }
}

function carries({ attribute_source = 'any', attribute_key }: SpanRow, span: SpanModel): boolean {
  return readAttribute(span, attribute_source as AttributeSource, attribute_key) !== undefined
}

function closest(
  rows: readonly Row[],
  positive: readonly SpanRow[],
  scope: readonly SpanModel[],
  anchors: readonly SpanModel[],
) {
  const areAllHeld = positive.every((row) => scope.some((span) => holds(row, span)))
  if (anchors.length > 0 || positive.length === 0 || !areAllHeld) return undefined
  const countOf = (span: SpanModel) => positive.filter((row) => holds(row, span)).length
  const most = Math.max(...scope.map(countOf))
  const step = scope.toSorted(byStart).find((span) => countOf(span) === most) as SpanModel
  const misses = rows.flatMap((row, position) =>
    !isFieldRow(row) && !isNegative(row) && !holds(row, step) ? [position] : [],
  )
  return { id: step.spanId, misses }
}

/** Reports whether a span would change whether a row holds, if it were in the population and in the scope. */
function wouldChange(row: SpanRow, span: SpanModel, trace: readonly SpanModel[], scope: readonly SpanModel[]): boolean {
  if (isNegative(row)) {
    const isTrue = (each: SpanModel) => holds(positiveForm(row), each)
    return isTrue(span) && !trace.some(isTrue)
  }
  return holds(row, span) && !scope.some((each) => holds(row, each))
}

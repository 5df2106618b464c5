import type { Metadata } from '../../metadata/database.ts'
import type { Evaluation, EvaluationEvent } from '../evaluation/evaluate.ts'
import type { Notice } from '../evaluation/evaluation-store.ts'
import type { AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import { describeReading } from '../readings/rule-sentence.ts'
import { alertContext, type LinkOf } from './alert-context.ts'
import type { AlertDetails, ReadAlertDetails } from './alert-details.ts'
import { startOfAlert } from './alert-store.ts'

/** An evaluation of which there is something to tell. */
export type Eventful = Evaluation & { readonly event: EvaluationEvent }

export function isEventful(evaluation: Evaluation): evaluation is Eventful {
  return evaluation.event !== undefined
}

/** What is told of evaluations of one organization, made at one moment. */
export type DrawNotices = (evaluations: readonly Eventful[], signal: AbortSignal) => Promise<Notice[]>

export interface NoticeParts {
  readonly metadata: Metadata
  readonly readers: AlertRuleReaders
  readonly readFacts: ReadAlertDetails
  readonly linkOf: LinkOf
  readonly now: () => Date
}

export function createNotices({ metadata, readers, readFacts, linkOf, now }: NoticeParts): DrawNotices {
  const contextOf = async ({ rule, atMs, event }: Eventful, facts: AlertDetails) => {
    const at = new Date(atMs)
    const { state, alertId, value } = event
    const measured = readers[rule.kind].describe(rule, facts.integration?.name)
    const summary = `${rule.name}: ${describeReading(measured, rule, value)}.`
    const startedAt = state === 'firing' ? at : ((await startOfAlert(metadata, rule.org, alertId)) ?? at)
    return alertContext({ ...{ rule, alertId, state, startedAt, at, summary, facts } }, linkOf, now())
  }
  return async (evaluations, signal) => {
    const [first] = evaluations
    if (first === undefined) return []
    const measured = evaluations.map(({ rule, event }) => ({ rule, value: event.value }))
    const facts = await readFacts(measured, first.atMs, signal)
    const notices: Notice[] = []
    for (const evaluation of evaluations)
      notices.push({ ...evaluation, context: await contextOf(evaluation, facts.get(evaluation.rule.id) ?? {}) })
    return notices
  }
}

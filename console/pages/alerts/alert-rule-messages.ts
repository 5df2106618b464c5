/** Converts a rule to a search for the messages that it measures. */
import type { MessagesSearch } from '../../app/search.ts'
import { fieldEquals, isNegative, type MessageRow } from '../../parts/conditions/operators.ts'
import type { AlertRule } from './alert-query.ts'

interface AlertTime {
  readonly started_at: string
  readonly resolved_at: string | null
}

/** A search of messages, and the conditions of the rule that it cannot have. */
export interface RuleMessages {
  readonly search: MessagesSearch
  /**
   * The number of conditions left out: a negative condition on one span has no equivalent in a message search, where a
   * negation is about the whole message.
   */
  readonly leftOut: number
}

/** Returns the search for the messages that a rule measured while it violated. A metric has none. */
export function messagesOfAlert(
  rule: AlertRule,
  { started_at, resolved_at }: AlertTime,
  now: Date,
): RuleMessages | undefined {
  if (rule.kind === 'metric') return undefined
  const fromMs = Date.parse(started_at) - (rule.window_s + rule.for_s) * 1_000
  const window = { from: new Date(fromMs).toISOString(), to: resolved_at ?? now.toISOString() }
  const conditions = rule.conditions as readonly MessageRow[]
  const positive = conditions.filter((condition) => !isNegative(condition))
  const isAboutErrors = rule.measure === 'error_count' || rule.measure === 'error_rate'
  const rows = [
    ...(rule.service === undefined ? [] : [fieldEquals('service', rule.service)]),
    ...(isAboutErrors ? [fieldEquals('status', 'error')] : []),
    ...positive,
    ...(rule.rows ?? []),
  ]
  const { relations = [], integration_id: integration } = rule
  return {
    leftOut: conditions.length - positive.length,
    search: {
      ...window,
      ...(rows.length > 0 ? { rows } : {}),
      ...(relations.length > 0 ? { relations } : {}),
      ...(integration === undefined ? {} : { integration }),
    },
  }
}

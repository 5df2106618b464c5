import { formatExactly } from '../../parts/chart/units.ts'
import { conditionWords, relationSentence } from '../../parts/conditions/condition-words.ts'
import { DoneIcon, ErrorIcon } from '../../parts/icons.tsx'
import type { AlertRule, AlertRuleCreate } from './alert-query.ts'
import { comparatorWords, measureWords, secondsWords, shownValue, unitOfMeasure } from './alert-rule-draft.ts'

const words = { ok: 'ok', pending: 'pending', firing: 'firing', no_data: 'no data' } as const

/** The state of a rule, in words and by an icon. */
export function RuleState({ enabled, state: { status, last_error } }: Pick<AlertRule, 'enabled' | 'state'>) {
  if (!enabled) return <span className="state soft">disabled</span>
  return (
    <span
      className={status === 'firing' ? 'state failed-state' : status === 'pending' ? 'state pending-state' : 'state'}
    >
      {status === 'firing' && <ErrorIcon />}
      {status === 'ok' && <DoneIcon />}
      {words[status]}
      {last_error !== null && <span className="failed-state">, evaluation failed</span>}
    </span>
  )
}

type MeasuringRule = Pick<
  AlertRuleCreate,
  'measure' | 'metric' | 'service' | 'integration_id' | 'comparator' | 'threshold' | 'window_s'
>

/**
 * Returns the condition of a rule in words: `number of failed spans of service cart is above 5 over 5 min`.
 * @param integration the name of the integration that the rule is on, if it is known
 */
export function alertRuleWords(rule: MeasuringRule, integration?: string): string {
  const { measure, metric, service, integration_id, comparator, threshold, window_s = 0 } = rule
  const subject = [
    measureWords(measure),
    ...(metric === undefined ? [] : [metric]),
    ...(service === undefined ? [] : [`service ${service}`]),
    ...(integration_id === undefined
      ? []
      : [integration === undefined ? 'an integration' : `integration ${integration}`]),
  ].join(' of ')
  const limit = formatExactly(shownValue(threshold, measure), unitOfMeasure(measure))
  return `${subject} ${comparatorWords[comparator]} ${limit} over ${secondsWords(window_s)}`
}

/** Returns the conditions of a rule in words: `where tenant equals "contoso"`; empty without any. */
export function alertRuleConditionWords({ kind, conditions = [], rows = [], relations = [] }: AlertRule): string {
  const words = [
    ...conditions.map((each) => conditionWords(each, kind === 'metric' ? 'record' : 'alert')),
    ...rows.map((each) => conditionWords(each, 'message')),
    ...relations.map((each) => relationSentence(each)),
  ]
  return words.length === 0 ? '' : `where ${words.join(' and ')}`
}

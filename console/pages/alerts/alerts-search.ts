import type { components } from '../../../openapi/types.ts'
import { defined, type MessagesSearch, readWindowSearch, text, windowSearchOf } from '../../app/search.ts'
import { isComplete, type MessageRow } from '../../parts/conditions/operators.ts'
import type { WindowSearch } from '../../parts/time/time.ts'
import type { RuleDraft } from './alert-rule-draft.ts'

type AlertState = components['schemas']['AlertState']

/** The search parameters of the alerts page. It lists rules unless they select alerts. */
export interface AlertsSearch {
  readonly show?: 'alerts'
  readonly state?: AlertState
  /** The only alert that is shown. */
  readonly alert?: string
  /** A part of the names or the measures of the rules that are shown. */
  readonly find?: string
}

export function readAlertsSearch({ show, state, alert, find }: Record<string, unknown>): AlertsSearch {
  return {
    ...(show === 'alerts' ? { show } : {}),
    ...(state === 'firing' || state === 'resolved' ? { state } : {}),
    ...defined({ alert: text(alert), find: text(find) }),
  }
}

/** The search parameters of an alert rule: the window of its preview, and unsaved edits. */
export interface AlertRuleSearch extends WindowSearch {
  readonly draft?: Readonly<Record<string, unknown>>
}

export function readAlertRuleSearch({ draft, ...search }: Record<string, unknown>): AlertRuleSearch {
  return {
    ...readWindowSearch(search),
    ...(typeof draft === 'object' && draft !== null && !Array.isArray(draft) ? { draft: { ...draft } } : {}),
  }
}

/** Returns the address of the form for a new rule on an integration, in the same time range. */
export function newRuleOn(integration: string, window: WindowSearch): AlertRuleSearch {
  return { ...window, draft: { scope: 'integration', integration } satisfies Partial<RuleDraft> }
}

/**
 * Returns the address of the form for a new rule that counts the messages of a search. A rule has no status; a row on
 * the number of failed steps, which decides the status of a message, replaces it.
 */
export function newRuleOnMessages(search: MessagesSearch): AlertRuleSearch {
  const { rows = [], relations = [], status, integration } = search
  const failedSteps = { attribute_source: 'message', attribute_key: 'error_step_count' } as const
  const statusRows: Readonly<Record<string, MessageRow>> = {
    error: { ...failedSteps, operator: 'gte', value: 1 },
    ok: { ...failedSteps, operator: 'eq', value: 0 },
  }
  const statusRow = statusRows[status ?? '']
  const draft: Partial<RuleDraft> = {
    measure: 'message_count',
    isOfMessages: true,
    rows: [...rows.filter(isComplete), ...(statusRow === undefined ? [] : [statusRow])],
    relations,
    ...(integration === undefined ? {} : { scope: 'integration', integration }),
  }
  return { ...windowSearchOf(search), draft: { ...draft } }
}

import type { components } from '../../../openapi/types.ts'
import { defined, type MessagesSearch, readWindowSearch, text, windowSearchOf } from '../../app/search.ts'
import { isComplete, type MessageRow } from '../../parts/conditions/operators.ts'
import type { WindowSearch } from '../../parts/time/time.ts'
import type { RuleDraft } from './alert-rule-draft.ts'

type AlertState = components['schemas']['AlertState']

/** What the address of the alerts says. Rules are listed unless it names alerts. */
export interface AlertsSearch {
  readonly show?: 'alerts'
  readonly state?: AlertState
  /** The only alert that is shown. */
  readonly alert?: string
  /** Part of the names of the rules that are shown, or of what they measure. */
  readonly find?: string
}

export function readAlertsSearch({ show, state, alert, find }: Record<string, unknown>): AlertsSearch {
  return {
    ...(show === 'alerts' ? { show } : {}),
    ...(state === 'firing' || state === 'resolved' ? { state } : {}),
    ...defined({ alert: text(alert), find: text(find) }),
  }
}

/** What the address of a rule says: the window of its preview, and edits that are not saved. */
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
 * Returns the address of the form for a new rule that counts the messages of a search. A rule has no status: the number
 * of failed steps among the matched ones, which decides the status of a message, says the same.
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

import type { components } from '../../../openapi/types.ts'
import { defined, readWindowSearch, text } from '../../app/search.ts'
import type { WindowSearch } from '../../parts/time.ts'
import type { RuleDraft } from './rule-draft.ts'

type AlertState = components['schemas']['AlertState']

/** What the address of the alerts says. Rules are listed unless alerts are asked for. */
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

/** Returns the address of the form for a new rule on an integration. */
export function newRuleOn(integration: string): AlertRuleSearch {
  return { draft: { scope: 'integration', integration } satisfies Partial<RuleDraft> }
}

import type { components } from '../../../openapi/types.ts'
import { readWindowSearch } from '../../app/search.ts'
import type { WindowSearch } from '../../parts/time.ts'
import type { RuleDraft } from './rule-draft.ts'

type AlertState = components['schemas']['AlertState']

/** What the address of the alerts says. Rules are listed unless alerts are asked for. */
export interface AlertsSearch {
  readonly show?: 'alerts'
  readonly state?: AlertState
  /** The alert that is open. */
  readonly alert?: string
}

export function readAlertsSearch({ show, state, alert }: Record<string, unknown>): AlertsSearch {
  return {
    ...(show === 'alerts' ? { show } : {}),
    ...(state === 'firing' || state === 'resolved' ? { state } : {}),
    ...(typeof alert === 'string' ? { alert } : {}),
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

import type { FacetReader } from '../facets/facet-reader.ts'
import type { Deps } from '../feature.ts'
import type { AlertRulesOf } from '../metadata/used-by-alert-rules.ts'
import { createGrantStore, grantHandlers } from './grants.ts'
import { type DiffDeps, diffHandlers } from './integration-diff.ts'
import { integrationHandlers } from './integration-handlers.ts'
import type { IntegrationStore } from './integration-store.ts'
import { integrationTransfer } from './integration-transfer.ts'
import { matcherHandlers } from './matcher-handlers.ts'
import { sliceHandlers } from './slice-handlers.ts'

/** What integrations need from other features. */
export interface IntegrationNeeds {
  readonly store: IntegrationStore
  readonly facetsOf: FacetReader['facetsOf']
  readonly alertRulesOf: AlertRulesOf
  readonly affectedAlertRules: DiffDeps['affectedAlertRules']
}

/** Creates the integrations: their records, matchers, grants and slices. */
export function createIntegrations(
  deps: Deps,
  { store, facetsOf, alertRulesOf, affectedAlertRules }: IntegrationNeeds,
) {
  const grants = createGrantStore(deps)
  return {
    handlers: {
      ...integrationHandlers(store, deps, alertRulesOf),
      ...matcherHandlers(store, deps.newId),
      ...grantHandlers(grants),
      ...diffHandlers({ ...deps, store, grants, affectedAlertRules }),
      ...sliceHandlers(deps, facetsOf),
    },
    transfers: [integrationTransfer(store, deps.newId, alertRulesOf)],
  }
}

import type { FacetReader } from '../facets/facet-reader.ts'
import type { Deps } from '../feature.ts'
import { createGrantStore, grantHandlers } from './grants.ts'
import { integrationHandlers } from './integration-handlers.ts'
import type { IntegrationStore } from './integration-store.ts'
import { integrationTransfer } from './integration-transfer.ts'
import { matcherHandlers } from './matcher-handlers.ts'
import { sliceHandlers } from './slice-handlers.ts'

export interface IntegrationsDeps extends Deps {
  readonly store: IntegrationStore
  readonly facets: Pick<FacetReader, 'facetsOf'>
  /** Returns the names of the alert rules about an integration, which prevent its deletion. */
  readonly rulesNaming: (org: string, integrationId: string) => Promise<readonly string[]>
}

/** Integrations: their records, matchers, grants and slices. */
export function createIntegrations(deps: IntegrationsDeps) {
  return {
    handlers: {
      ...integrationHandlers(deps),
      ...matcherHandlers(deps),
      ...grantHandlers(createGrantStore(deps.metadata)),
      ...sliceHandlers(deps),
    },
    transfers: [integrationTransfer(deps.store, deps.newId)],
  }
}

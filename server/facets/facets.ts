import type { Deps } from '../feature.ts'
import { facetHandlers } from './facet-handlers.ts'
import { createFacetReader } from './facet-reader.ts'
import { createFacetStore } from './facet-store.ts'
import { facetTransfer } from './facet-transfer.ts'
import { mappingHandlers } from './mapping-handlers.ts'
import { overrideHandlers } from './override-handlers.ts'
import { mappingTransfer, overrideTransfer } from './service-transfers.ts'
import { serviceHandlers } from './services.ts'
import { widgetHandlers } from './widget-handlers.ts'

/** Services and their facets: detection, overrides, classification rules, custom facets and dashboards. */
export function createFacets(deps: Deps) {
  const reader = createFacetReader(deps)
  const store = createFacetStore(deps)
  return {
    reader,
    handlers: {
      ...facetHandlers(deps, store, reader),
      ...overrideHandlers(deps, reader),
      ...mappingHandlers(deps, reader),
      ...serviceHandlers(deps, reader),
      ...widgetHandlers(deps, reader),
    },
    transfers: [facetTransfer(store), overrideTransfer(deps), mappingTransfer(deps)],
  }
}

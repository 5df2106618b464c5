import type { ClickHouse } from '../clickhouse/client.ts'
import type { Metadata } from '../metadata/database.ts'
import type { GrantedSlices } from '../telemetry/scope.ts'
import { facetHandlers } from './facet-handlers.ts'
import { facetQuestions } from './facet-question.ts'
import { createFacetReader } from './facet-reader.ts'
import { readFacetSettings } from './facet-settings.ts'
import { createFacetStore } from './facet-store.ts'
import { facetTransfer } from './facet-transfer.ts'
import { keyAttributesBy } from './key-attributes.ts'
import { mappingHandlers } from './mapping-handlers.ts'
import { overrideHandlers } from './override-handlers.ts'
import { serviceAccessBy } from './service-access.ts'
import { serviceHandlers } from './service-handlers.ts'
import { mappingTransfer, overrideTransfer } from './service-transfers.ts'
import { widgetHandlers } from './widget-handlers.ts'

export interface FacetParts {
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  readonly granted: GrantedSlices
}

/** Facets of services: what answers for them, what exports carry of them, and how others ask about them. */
export function createFacets({ clickhouse, metadata, now, newId, granted }: FacetParts) {
  const settingsOf = (org: string) => readFacetSettings(metadata.db, org)
  const reader = createFacetReader({ clickhouse, settingsOf })
  const asked = facetQuestions({ clickhouse, now, granted })
  const access = serviceAccessBy(granted)
  return {
    reader,
    asked,
    access,
    keyAttributesOf: keyAttributesBy(reader),
    transfers: [facetTransfer({ now }), overrideTransfer(), mappingTransfer({ now, newId })],
    handlers: {
      ...facetHandlers({ facets: createFacetStore({ metadata, now }), reader, asked, access }),
      ...overrideHandlers({ metadata, reader, asked, access }),
      ...mappingHandlers({ metadata, reader, asked, access, now, newId }),
      ...serviceHandlers({ reader, asked }),
      ...widgetHandlers({ clickhouse, metadata, reader, asked, access }),
    },
  }
}

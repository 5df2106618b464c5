import type { components } from '../../openapi/types.ts'
import type { Handlers } from '../../server/http/handlers.ts'

const facet: components['schemas']['Facet'] = {
  ...{ slug: 'billing-jobs', name: 'Billing jobs', description: '', built_in: false, definition: null },
  ...{ key_attributes: [], widgets: [], version: 1 },
  ...{ created_at: '2026-03-01T09:00:00Z', updated_at: '2026-03-01T09:00:00Z' },
}

const mapping: components['schemas']['FacetMapping'] = {
  ...{ id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD', attribute_source: 'span', attribute_key: 'db.system' },
  ...{ match_operator: 'exists', set_io_kind: 'db', set_io_role: 'output' },
  ...{ created_at: '2026-03-01T09:00:00Z', updated_at: '2026-03-01T09:00:00Z' },
}

const overrides: components['schemas']['FacetOverrides'] = { include: [], exclude: [], facets: [], version: 0 }

type FacetOperations = Extract<keyof Handlers, `${string}${'Facet' | 'Service' | 'Widget'}${string}`>

/** Handlers of services and facets that answer the least that the document allows. */
export const stubFacetHandlers: Pick<Handlers, FacetOperations> = {
  listServices: () => ({ status: 200, body: { items: [], next_cursor: null } }),
  getFacetOverrides: () => ({ status: 200, body: overrides }),
  replaceFacetOverrides: () => ({ status: 200, body: overrides }),
  listFacetMappings: () => ({ status: 200, body: { items: [mapping], next_cursor: null } }),
  createFacetMapping: () => ({
    status: 201,
    headers: { Location: '/api/v1/services/a/facet-mappings/b' },
    body: mapping,
  }),
  deleteFacetMapping: () => ({ status: 204 }),
  listFacets: () => ({ status: 200, body: { items: [facet], next_cursor: null } }),
  createFacet: () => ({ status: 201, headers: { Location: '/api/v1/service-facets/billing-jobs' }, body: facet }),
  getFacet: () => ({ status: 200, body: { ...facet, services: [] } }),
  updateFacet: () => ({ status: 200, body: facet }),
  deleteFacet: () => ({ status: 204 }),
  getServiceDashboard: ({ path }) => ({ status: 200, body: { service: path.name, facets: [] } }),
  getWidgetData: () => ({ status: 200, body: { kind: 'timeseries', unit: '1', step_s: 1, series: [] } }),
}

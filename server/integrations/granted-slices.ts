import type { FindSlice, GrantedSlices } from '../telemetry/scope.ts'
import { visibleTo } from './integration-handlers.ts'
import { sliceOfContent } from './integration-record.ts'
import { type IntegrationStore, integrationsPerOrgMax } from './integration-store.ts'

/** The slice of an integration that the caller may know of. */
export function findSliceIn(store: IntegrationStore): FindSlice {
  return async (caller, id) => {
    const found = await store.find(visibleTo(caller), id)
    return found && { name: found.name, slice: sliceOfContent(found) }
  }
}

/** The slices whose union a restricted caller sees; read anew for every question, so that a grant ends at once. */
export function grantedSlicesIn(store: IntegrationStore): GrantedSlices {
  return async ({ org, subject }) => {
    const page = { limit: integrationsPerOrgMax, before: undefined }
    return (await store.list({ org, grantedTo: subject }, page)).map(sliceOfContent)
  }
}

import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { untilUnchanged } from '../metadata/edit-record.ts'
import { raise } from '../problem/problem.ts'
import { type ScopedTelemetry, telemetryOf } from '../telemetry/scope.ts'
import type { FacetReader } from './facet-reader.ts'
import { allFacets } from './facet-store.ts'
import {
  checkOverrides,
  isEffective,
  noOverrides,
  normalized,
  type Overrides,
  overriddenBy,
  overrideRecords,
  type ServiceFacet,
  statesOf,
} from './service-facets.ts'
import { findServiceRecord, replaceServiceRecord, type ServiceRecord } from './service-records.ts'
import { requireService } from './services.ts'

type OverrideOperations = 'getFacetOverrides' | 'replaceFacetOverrides'

/** Creates the handlers of the overrides of the facets of a service. */
export function overrideHandlers(deps: Deps, reader: FacetReader): Handlers<OverrideOperations> {
  return {
    async getFacetOverrides(request) {
      const { caller, path } = request
      await requireService(deps, caller, path.name)
      const telemetry = await telemetryOf(deps, request)
      const record = (await reader.mayKnow(telemetry, path.name))
        ? await findServiceRecord(overrideRecords, deps.metadata.db, caller.org, path.name)
        : { service: path.name, content: noOverrides, version: 0 }
      return { status: 200, body: toOverridesRecord(record, await readFacets(reader, telemetry, path.name)) }
    },
    replaceFacetOverrides: (request) => replaceOverrides(deps, reader, request),
  }
}

async function replaceOverrides(deps: Deps, reader: FacetReader, request: HandlerRequest<'replaceFacetOverrides'>) {
  const { metadata } = deps
  const { org } = request.caller
  const { name } = request.path
  const telemetry = await telemetryOf(deps, request)
  const custom = (await allFacets(metadata.db, org)).map(({ id }) => id)
  const next = normalized(request.body)
  // Telemetry is read before the write, so that nothing is written when it is unavailable.
  const facets = await readFacets(reader, telemetry, name)
  const edited = {
    noun: 'service',
    id: name,
    ifMatch: request.headers['If-Match'],
    find: () => findServiceRecord(overrideRecords, metadata.db, org, name),
  }
  const record = await untilUnchanged(edited, (current) => {
    // Overrides of deleted facets are kept, so a record that was read can be sent back.
    checkOverrides(request.body, [...custom, ...current.content.include, ...current.content.exclude])
    return replaceServiceRecord(overrideRecords, deps, request, current, next)
  })
  return { status: 200 as const, body: toOverridesRecord(record, facets) }
}

async function readFacets(reader: FacetReader, telemetry: ScopedTelemetry, service: string) {
  const facets = await reader.facetsOf(telemetry, [service])
  return facets.get(service) ?? raise(new Error('The facets of a requested service are missing.'))
}

function toOverridesRecord(
  { content, version }: ServiceRecord<Overrides>,
  known: readonly ServiceFacet[],
): components['schemas']['FacetOverrides'] {
  const facets = known.map((facet) => toOverriddenRecord(overriddenBy(content, facet)))
  return { include: [...content.include], exclude: [...content.exclude], facets, version }
}

function toOverriddenRecord(facet: ServiceFacet): components['schemas']['OverriddenFacet'] {
  const override = facet.excluded ? 'exclude' : facet.included ? 'include' : null
  const { slug, detected } = facet
  return { slug, detected, override, effective: isEffective(facet), state: statesOf(facet) }
}

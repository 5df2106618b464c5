import type { components } from '../../openapi/types.ts'
import type { Handlers } from '../http/handlers.ts'
import type { Metadata } from '../metadata/database.ts'
import { untilUnchanged } from '../metadata/edit-record.ts'
import { raise } from '../problem/problem.ts'
import { checkOverrides, normalized, overrideRecords } from './facet-overrides.ts'
import type { AskedOfFacets } from './facet-question.ts'
import type { FacetQuestion, FacetReader } from './facet-reader.ts'
import { allFacets } from './facet-store.ts'
import { requireService, type ServiceAccess } from './service-access.ts'
import { isEffective, type Overrides, overriddenBy, type ServiceFacet, statesOf } from './service-facet.ts'
import { findServiceRecord, replaceServiceRecord, type ServiceRecord } from './service-records.ts'

export interface OverrideHandlerParts {
  readonly metadata: Metadata
  readonly reader: FacetReader
  readonly asked: AskedOfFacets
  readonly access: ServiceAccess
}

type OverriddenFacet = components['schemas']['OverriddenFacet']

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function overrideHandlers({
  metadata,
  reader,
  asked,
  access,
}: OverrideHandlerParts): Handlers<'getFacetOverrides' | 'replaceFacetOverrides'> {
  return {
    async getFacetOverrides(request) {
      const { caller, path } = request
      await requireService(access, caller, path.name)
      const question = await asked(request)
      const record = await findServiceRecord(overrideRecords, metadata.db, caller.org, path.name)
      return { status: 200, body: viewOf(record, await readFacets(reader, question, path.name)) }
    },
    async replaceFacetOverrides(request) {
      const { org } = request.caller
      const { name } = request.path
      const question = await asked(request)
      const facets = await allFacets(metadata.db, org)
      checkOverrides(
        request.body,
        facets.map(({ slug }) => slug),
      )
      const next = normalized(request.body)
      // Before anything is written, so that telemetry that is away leaves all as it was.
      const known = await readFacets(reader, question, name)
      const find = () => findServiceRecord(overrideRecords, metadata.db, org, name)
      const edited = { noun: 'service', id: name, ifMatch: request.headers['If-Match'], find }
      const record = await untilUnchanged(edited, (current) =>
        replaceServiceRecord(overrideRecords, metadata, org, current, next),
      )
      return { status: 200, body: viewOf(record, known) }
    },
  }
}

async function readFacets(reader: FacetReader, question: FacetQuestion, service: string) {
  const facets = await reader.facetsOf(question, [service])
  return facets.get(service) ?? raise(new Error('A service that was asked about has no facets.'))
}

function viewOf(
  { content, version }: ServiceRecord<Overrides>,
  known: readonly ServiceFacet[],
): components['schemas']['FacetOverrides'] {
  const facets = known.map((facet) => toRecord(overriddenBy(content, facet)))
  return { include: [...content.include], exclude: [...content.exclude], facets, version }
}

function toRecord(facet: ServiceFacet): OverriddenFacet {
  const override = facet.excluded ? 'exclude' : facet.included ? 'include' : null
  const { slug, detected } = facet
  return { slug, detected, override, effective: isEffective(facet), state: statesOf(facet) }
}

import { classificationRulesMax } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { readPage } from '../http/paging.ts'
import type { Metadata } from '../metadata/database.ts'
import { untilUnchanged } from '../metadata/edit-record.ts'
import { notFound, problem, raise } from '../problem/problem.ts'
import { mappingRecords, type StoredMapping, toMappingRecord, toStoredMapping } from './facet-mapping.ts'
import type { AskedOfFacets } from './facet-question.ts'
import type { FacetReader } from './facet-reader.ts'
import { rulesOf } from './facet-settings.ts'
import { requireService, type ServiceAccess } from './service-access.ts'
import { findServiceRecord, replaceServiceRecord } from './service-records.ts'

export interface MappingHandlerParts {
  readonly metadata: Metadata
  readonly reader: FacetReader
  readonly asked: AskedOfFacets
  readonly access: ServiceAccess
  readonly now: () => Date
  /** ULIDs. */
  readonly newId: () => string
}

type MappingOperations = 'listFacetMappings' | 'createFacetMapping' | 'deleteFacetMapping'

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function mappingHandlers(parts: MappingHandlerParts): Handlers<MappingOperations> {
  return {
    listFacetMappings: (request) => listMappings(parts, request),
    async createFacetMapping({ caller: { org }, path: { name }, body }) {
      const created = toStoredMapping(body, { id: parts.newId(), moment: parts.now().toISOString() }, '')
      await editMappings(parts, org, name, (current) => {
        if (current.length >= classificationRulesMax)
          throw problem('refused', `A service has at most ${classificationRulesMax} rules. Delete one first.`)
        return [...current, created]
      })
      const Location = `/api/v1/services/${encodeURIComponent(name)}/facet-mappings/${created.id}`
      return { status: 201, headers: { Location }, body: toMappingRecord(created) }
    },
    async deleteFacetMapping({ caller: { org }, path: { name, id } }) {
      await editMappings(parts, org, name, (current) => {
        const left = current.filter((mapping) => mapping.id !== id)
        return left.length < current.length ? left : raise(notFound('classification rule', id))
      })
      return { status: 204 }
    },
  }
}

/** Rules keep their places while others change them, because a change is made of the list that was read, or not at all. */
async function editMappings(
  { metadata }: MappingHandlerParts,
  org: string,
  service: string,
  change: (current: readonly StoredMapping[]) => readonly StoredMapping[],
): Promise<void> {
  const find = () => findServiceRecord(mappingRecords, metadata.db, org, service)
  await untilUnchanged({ noun: 'service', id: service, ifMatch: undefined, find }, (current) =>
    replaceServiceRecord(mappingRecords, metadata, org, current, change(current.content)),
  )
}

async function listMappings(parts: MappingHandlerParts, request: HandlerRequest<'listFacetMappings'>) {
  const { caller, path, query } = request
  await requireService(parts.access, caller, path.name)
  const { content } = await findServiceRecord(mappingRecords, parts.metadata.db, caller.org, path.name)
  const page = await readPage({
    list: ['facet mappings', caller.org, path.name],
    page: query,
    read: (_, after) => content.slice(1 + content.findIndex(({ id }) => id === after)),
    positionOf: ({ id }) => id,
  })
  const body = { ...page, items: page.items.map(toMappingRecord) }
  if (query.explain !== true) return { status: 200 as const, body }
  return { status: 200 as const, body: { ...body, explain: await explainMappings(parts, request, content) } }
}

async function explainMappings(
  { reader, asked }: MappingHandlerParts,
  request: HandlerRequest<'listFacetMappings'>,
  mappings: readonly StoredMapping[],
): Promise<components['schemas']['FacetMappingExplanation']> {
  const question = await asked(request)
  const counts = await reader.countClassified(question, rulesOf(request.path.name, mappings))
  const decided = counts.byRule.reduce((sum, count) => sum + count, 0)
  return {
    sampled_span_count: counts.carried + decided + counts.undecided,
    carried_span_count: counts.carried,
    undecided_span_count: counts.undecided,
    rules: mappings.map(({ id }, index) => ({ id, decided_span_count: counts.byRule[index] ?? 0 })),
  }
}

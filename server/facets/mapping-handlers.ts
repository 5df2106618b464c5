import { classificationRulesMax } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { textPart } from '../http/cursor.ts'
import { readPage } from '../http/paging.ts'
import { untilUnchanged } from '../metadata/edit-record.ts'
import { idAfter } from '../metadata/record-ids.ts'
import { notFound, problem, raise } from '../problem/problem.ts'
import { type ScopedTelemetry, telemetryOf } from '../telemetry/scope.ts'
import {
  mappingRecords,
  type StoredMapping,
  serviceRulesOf,
  toMappingRecord,
  toStoredMapping,
} from './facet-mapping.ts'
import type { FacetReader } from './facet-reader.ts'
import { findServiceRecord, replaceServiceRecord, type ServiceRecord } from './service-records.ts'
import { requireService } from './services.ts'

type MappingOperations = 'listFacetMappings' | 'createFacetMapping' | 'deleteFacetMapping'

/** Creates the handlers of the classification rules of a service. */
export function mappingHandlers(deps: Deps, reader: FacetReader): Handlers<MappingOperations> {
  return {
    listFacetMappings: (request) => listMappings(deps, reader, request),
    async createFacetMapping(request) {
      const {
        path: { name },
        body,
      } = request
      let created = toStoredMapping(body, { id: deps.newId(), createdAt: deps.now().toISOString() }, '')
      await editMappings(deps, request, (current) => {
        if (current.length >= classificationRulesMax)
          throw problem('refused', `A service has at most ${classificationRulesMax} rules. Delete one first.`)
        // Pages continue after an id, so ids keep the order of the rules whatever the clock and other writers do.
        created = { ...created, id: idAfter(current.at(-1)?.id ?? '', created.id) }
        return [...current, created]
      })
      const Location = `/api/v1/services/${encodeURIComponent(name)}/facet-mappings/${created.id}`
      return { status: 201, headers: { Location }, body: toMappingRecord(created) }
    },
    async deleteFacetMapping(request) {
      const { id } = request.path
      await editMappings(deps, request, (current) => {
        const left = current.filter((mapping) => mapping.id !== id)
        return left.length < current.length ? left : raise(notFound('classification rule', id))
      })
      return { status: 204 }
    },
  }
}

/**
 * Replaces the list of rules. It retries when the list has changed since it was read, so concurrent edits keep the
 * order.
 */
async function editMappings(
  deps: Deps,
  request: HandlerRequest<'createFacetMapping'> | HandlerRequest<'deleteFacetMapping'>,
  change: (current: readonly StoredMapping[]) => readonly StoredMapping[],
): Promise<void> {
  const service = request.path.name
  const find = () => findServiceRecord(mappingRecords, deps.metadata.db, request.caller.org, service)
  await untilUnchanged({ noun: 'service', id: service, ifMatch: undefined, find }, (current) =>
    replaceServiceRecord(mappingRecords, deps, request, current, change(current.content)),
  )
}

async function listMappings(deps: Deps, reader: FacetReader, request: HandlerRequest<'listFacetMappings'>) {
  const { caller, path, query } = request
  await requireService(deps, caller, path.name)
  const telemetry = await telemetryOf(deps, request)
  const { content } = (await reader.mayKnow(telemetry, path.name))
    ? await findServiceRecord(mappingRecords, deps.metadata.db, caller.org, path.name)
    : { content: [] }
  const page = await readPage({
    list: ['facet mappings', caller.org, path.name],
    page: query,
    read: (_, after) => (after === undefined ? content : mappingsAfter(content, after[0])),
    positionOf: ({ id }) => [id],
    parts: [textPart],
  })
  const body = { ...page, items: page.items.map(toMappingRecord) }
  if (query.explain !== true) return { status: 200 as const, body }
  const explain = await explainMappings(reader, telemetry, { service: path.name, content })
  return { status: 200 as const, body: { ...body, explain } }
}

/** Returns the rules after an id, by which they are sorted. The rule with that id may have been deleted meanwhile. */
function mappingsAfter(mappings: readonly StoredMapping[], id: string): readonly StoredMapping[] {
  const position = mappings.findIndex((mapping) => mapping.id === id)
  return position === -1 ? mappings.filter((mapping) => mapping.id > id) : mappings.slice(position + 1)
}

async function explainMappings(
  reader: FacetReader,
  telemetry: ScopedTelemetry,
  { service, content: mappings }: Pick<ServiceRecord<readonly StoredMapping[]>, 'service' | 'content'>,
): Promise<components['schemas']['FacetMappingExplanation']> {
  const counts = await reader.countClassified(telemetry, serviceRulesOf(service, mappings))
  const decided = counts.byRule.reduce((sum, count) => sum + count, 0)
  return {
    sampled_span_count: counts.carried + decided + counts.undecided,
    carried_span_count: counts.carried,
    undecided_span_count: counts.undecided,
    rules: mappings.map(({ id }, index) => ({ id, decided_span_count: counts.byRule[index] ?? 0 })),
  }
}

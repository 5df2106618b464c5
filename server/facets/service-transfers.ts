import { isDeepStrictEqual } from 'node:util'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import { collectFaults, type FieldFault, invalidFields, refusedFields } from '../problem/problem.ts'
import { checkStorable } from '../problem/record-input.ts'
import {
  Interrupted,
  importByName,
  type PreparedImport,
  type RecordTransfer,
  readNamedRecords,
} from '../transfer/record-transfer.ts'
import { type MappingIdentity, mappingRecords, type StoredMapping, toStoredMapping } from './facet-mapping.ts'
import { coreExclusions, normalized, type Overrides, overrideRecords } from './service-facets.ts'
import {
  allServiceRecords,
  checkServiceRecords,
  findServiceRecord,
  type ServiceRecord,
  type ServiceRecords,
  writeServiceRecord,
} from './service-records.ts'

type ConfigOverrides = components['schemas']['ConfigFacetOverrides']
type ConfigMappings = components['schemas']['ConfigFacetMappings']

/**
 * Exports and imports overrides, matched by service. Slugs of facets that do not exist are kept, as they are when a
 * facet is deleted.
 */
export function overrideTransfer({ newId }: Pick<Deps, 'newId'>): RecordTransfer {
  return {
    name: 'facet_overrides',
    async read(transaction, { org }) {
      const records = await allServiceRecords(overrideRecords, transaction, org)
      return records.map(({ service, content }) => ({ service, ...content }))
    },
    async prepare(records, pointer) {
      const overrides = records as readonly ConfigOverrides[]
      const sent = await readNamedRecords(overrides, pointer, readOverrides, 'service')
      const refused = overrides.flatMap(({ exclude }, index) => coreExclusions(exclude, `${pointer}/${index}`))
      const write = importOf(newId, overrideRecords, sent, isDeepStrictEqual)
      return async (...given) => {
        if (refused.length > 0) throw refusedFields(refused)
        return write(...given)
      }
    },
  }
}

/**
 * Exports and imports classification rules, matched by service. The rules of a service are replaced as one ordered
 * list.
 */
export function mappingTransfer({ now, newId }: Pick<Deps, 'now' | 'newId'>): RecordTransfer {
  return {
    name: 'facet_mappings',
    async read(transaction, { org }) {
      const records = await allServiceRecords(mappingRecords, transaction, org)
      return records.map(({ service, content }) => ({ service, mappings: withoutIdentity(content) }))
    },
    async prepare(records, pointer) {
      const createdAt = now().toISOString()
      const read = (record: ConfigMappings, at: string) => readMappings(record, at, () => ({ id: newId(), createdAt }))
      return importOf(
        newId,
        mappingRecords,
        await readNamedRecords(records as readonly ConfigMappings[], pointer, read, 'service'),
        (left, right) => isDeepStrictEqual(withoutIdentity(left), withoutIdentity(right)),
      )
    },
  }
}

function withoutIdentity(mappings: readonly StoredMapping[]): unknown[] {
  return mappings.map(({ id, created_at, ...mapping }) => mapping)
}

interface SentRecord<Content> {
  /** The service. Records are matched by it. */
  readonly name: string
  readonly content: Content
}

interface KnownRecord<Content> {
  readonly name: string
  readonly record: ServiceRecord<Content>
}

function readOverrides({ service, include, exclude }: ConfigOverrides, pointer: string): SentRecord<Overrides> {
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkStorable(service, `${pointer}/service`))
  for (const list of ['include', 'exclude'] as const)
    for (const [index, slug] of { include, exclude }[list].entries())
      collectFaults(faults, () => checkStorable(slug, `${pointer}/${list}/${index}`))
  if (faults.length > 0) throw invalidFields(faults)
  return { name: service, content: normalized({ include, exclude }) }
}

function readMappings(
  { service, mappings }: ConfigMappings,
  pointer: string,
  identity: () => MappingIdentity,
): SentRecord<readonly StoredMapping[]> {
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkStorable(service, `${pointer}/service`))
  const content = mappings.flatMap(
    (input, index) =>
      collectFaults(faults, () => toStoredMapping(input, identity(), `${pointer}/mappings/${index}`)) ?? [],
  )
  if (faults.length > 0) throw invalidFields(faults)
  return { name: service, content }
}

function importOf<Content>(
  newId: () => string,
  records: ServiceRecords<Content>,
  sent: readonly SentRecord<Content>[],
  isEqual: (left: Content, right: Content) => boolean,
): PreparedImport {
  return async (transaction, author, mode) => {
    const { org } = author.caller
    const write = async (record: ServiceRecord<Content>, content: Content) =>
      (await writeServiceRecord(records, transaction, { author, newId }, record, content)) !== undefined
    const result = await importByName<SentRecord<Content>, KnownRecord<Content>>(sent, mode, {
      async all() {
        const stored = await allServiceRecords(records, transaction, org)
        const services = new Set(stored.map(({ service }) => service))
        // Empty settings are those of a service that has none, so importing them there changes nothing.
        const unset = sent
          .filter(({ name, content }) => records.isEmpty(content) && !services.has(name))
          .map(({ name: service }) => ({ service, content: records.empty, version: 0 }))
        return [...stored, ...unset].map((record) => ({ name: record.service, record }))
      },
      isUnchanged: ({ record }, { content }) => isEqual(record.content, content),
      async insert({ name, content }) {
        const record = await findServiceRecord(records, transaction, org, name)
        if (!(await write(record, content))) throw new Interrupted()
      },
      replace: ({ record }, { content }) => write(record, content),
      remove: ({ record }) => write(record, records.empty),
    })
    await checkServiceRecords(records, transaction, org)
    return result
  }
}

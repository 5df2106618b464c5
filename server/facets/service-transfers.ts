import { isDeepStrictEqual } from 'node:util'
import type { components } from '../../openapi/types.ts'
import { collectFaults, type FieldFault, invalidFields } from '../problem/problem.ts'
import { checkStorable } from '../problem/record-input.ts'
import {
  Interrupted,
  importByName,
  type PreparedImport,
  type RecordTransfer,
  readNamedRecords,
} from '../transfer/record-transfer.ts'
import { mappingRecords, type StoredMapping, toStoredMapping } from './facet-mapping.ts'
import { coreExclusions, normalized, overrideRecords } from './facet-overrides.ts'
import type { Overrides } from './service-facet.ts'
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

export interface ServiceSectionOptions {
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

/** Overrides in exports and imports, matched by service. A facet that does not exist is left in place, as when it is deleted. */
export function overrideTransfer(): RecordTransfer {
  return {
    name: 'facet_overrides',
    async read(transaction, org) {
      const records = await allServiceRecords(overrideRecords, transaction, org)
      return records.map(({ service, content }) => ({ service, ...content }))
    },
    prepare(records, pointer) {
      return importOf(
        overrideRecords,
        readNamedRecords(records as readonly ConfigOverrides[], pointer, readOverrides, 'service'),
        isDeepStrictEqual,
      )
    },
  }
}

/** Classification rules in exports and imports, matched by service; those of one service are taken as one list, in their order. */
export function mappingTransfer({ now, newId }: ServiceSectionOptions): RecordTransfer {
  return {
    name: 'facet_mappings',
    async read(transaction, org) {
      const records = await allServiceRecords(mappingRecords, transaction, org)
      return records.map(({ service, content }) => ({ service, mappings: withoutIdentity(content) }))
    },
    prepare(records, pointer) {
      const moment = now().toISOString()
      const read = (record: ConfigMappings, at: string) => readMappings(record, at, () => ({ id: newId(), moment }))
      return importOf(
        mappingRecords,
        readNamedRecords(records as readonly ConfigMappings[], pointer, read, 'service'),
        (left, right) => isDeepStrictEqual(withoutIdentity(left), withoutIdentity(right)),
      )
    },
  }
}

function withoutIdentity(mappings: readonly StoredMapping[]): unknown[] {
  return mappings.map(({ id: _, created_at: __, ...mapping }) => mapping)
}

interface SentRecord<Content> {
  /** The service, by which it is matched. */
  readonly name: string
  readonly content: Content
}

interface KnownRecord<Content> {
  readonly name: string
  readonly record: ServiceRecord<Content>
}

function readOverrides({ service, include, exclude }: ConfigOverrides, pointer: string): SentRecord<Overrides> {
  const faults: FieldFault[] = [...coreExclusions(exclude, pointer)]
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
  identity: () => { id: string; moment: string },
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
  records: ServiceRecords<Content>,
  sent: readonly SentRecord<Content>[],
  sayTheSame: (left: Content, right: Content) => boolean,
): PreparedImport {
  return async (transaction, org, mode) => {
    const write = async (record: ServiceRecord<Content>, content: Content) =>
      (await writeServiceRecord(records, transaction, org, record, content)) !== undefined
    const result = await importByName<SentRecord<Content>, KnownRecord<Content>>(sent, mode, {
      all: async () =>
        (await allServiceRecords(records, transaction, org)).map((record) => ({ name: record.service, record })),
      isUnchanged: ({ record }, { content }) => sayTheSame(record.content, content),
      async insert({ name, content }) {
        const record = await findServiceRecord(records, transaction, org, name)
        if (!(await write(record, content))) throw new Interrupted('A record changed in the middle of an import.')
      },
      replace: ({ record }, { content }) => write(record, content),
      remove: ({ record }) => write(record, records.empty),
    })
    await checkServiceRecords(records, transaction, org)
    return result
  }
}

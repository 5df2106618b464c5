import { checkClassificationRule, InvalidQuery, takesValue } from '#sql'
import type { components } from '../../openapi/types.ts'
import { invalidFields, problem } from '../problem/problem.ts'
import type { ServiceRecords } from './service-records.ts'

export type MappingInput = components['schemas']['FacetMappingCreate']
export type MappingRecord = components['schemas']['FacetMapping']

/** A classification rule as it is stored. It never changes, so it has one moment. */
export type StoredMapping = Omit<MappingRecord, 'updated_at'>

/** Of all services of an organization together: one query asks them all. */
const rulesPerOrgMax = 2_000
const rulesBytesPerOrgMax = 4 * 1024 ** 2

/** The classification rules of a service, in the order in which they were created. */
export const mappingRecords: ServiceRecords<readonly StoredMapping[]> = {
  table: 'facet_mappings',
  empty: [],
  isEmpty: (mappings) => mappings.length === 0,
  checkTogether(contents) {
    const all = contents.flat()
    if (all.length > rulesPerOrgMax)
      throw problem('refused', `An organization has at most ${rulesPerOrgMax} classification rules. Delete one first.`)
    if (Buffer.byteLength(JSON.stringify(all)) > rulesBytesPerOrgMax)
      throw problem('refused', `The rules of an organization take up at most ${rulesBytesPerOrgMax} bytes.`)
  },
}

/** What a rule becomes a record with. */
export interface MappingIdentity {
  readonly id: string
  /** When it is created. */
  readonly moment: string
}

/**
 * A rule as it is stored; the value that `exists` ignores is left out. `pointer` is where it stands in the request's body.
 * @throws Problem 400 with every fault of the rule
 */
export function toStoredMapping(input: MappingInput, { id, moment }: MappingIdentity, pointer: string): StoredMapping {
  const { attribute_source, attribute_key, match_operator, match_value, set_io_kind, set_io_role } = input
  checkMeaning(input, pointer)
  return {
    ...{ id, attribute_source, attribute_key, match_operator },
    ...(match_value === undefined || !takesValue(match_operator, 'mapping') ? {} : { match_value }),
    ...{ set_io_kind, set_io_role, created_at: moment },
  }
}

function checkMeaning(input: MappingInput, pointer: string): void {
  try {
    checkClassificationRule(input, pointer)
  } catch (error) {
    throw error instanceof InvalidQuery ? invalidFields(error.faults) : error
  }
}

export function toMappingRecord(stored: StoredMapping): MappingRecord {
  return { ...stored, updated_at: stored.created_at }
}

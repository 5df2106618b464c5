import { checkClassificationRule, InvalidQuery, parseClassificationRule, type ServiceRules, takesValue } from '#sql'
import type { components } from '../../openapi/types.ts'
import { invalidFields, problem } from '../problem/problem.ts'
import type { ServiceRecords } from './service-records.ts'

type MappingInput = components['schemas']['FacetMappingCreate']
type MappingRecord = components['schemas']['FacetMapping']

/** A stored classification rule. Rules never change, so they have no time of update. */
export type StoredMapping = Omit<MappingRecord, 'updated_at'>

/** Limits over all services of an organization, because one query applies the rules of all services. */
const rulesPerOrgMax = 2_000
const rulesBytesPerOrgMax = 4 * 1024 ** 2

/** The classification rules of a service, in order of creation. */
export const mappingRecords: ServiceRecords<readonly StoredMapping[]> = {
  table: 'facet_mappings',
  plural: 'classification rules',
  toAudited: (mappings) => ({ mappings: mappings.map(toMappingRecord) }),
  empty: [],
  isEmpty: (mappings) => mappings.length === 0,
  checkTogether(contents) {
    const all = contents.flat()
    if (all.length > rulesPerOrgMax)
      throw problem('refused', `An organization has at most ${rulesPerOrgMax} classification rules. Delete one first.`)
    if (Buffer.byteLength(JSON.stringify(all)) > rulesBytesPerOrgMax)
      throw problem(
        'refused',
        `The classification rules of an organization have at most ${rulesBytesPerOrgMax} bytes. Delete one first.`,
      )
  },
}

/** The properties that are assigned to a rule when it is created. */
export interface MappingIdentity {
  readonly id: string
  readonly createdAt: string
}

/**
 * Returns the stored form of a rule. The value of a rule with `exists` is dropped. `pointer` locates the rule in the
 * request body.
 * @throws Problem 400 with every fault of the rule
 */
export function toStoredMapping(
  input: MappingInput,
  { id, createdAt }: MappingIdentity,
  pointer: string,
): StoredMapping {
  const { attribute_source, attribute_key, match_operator, match_value, set_io_kind, set_io_role } = input
  checkMeaning(input, pointer)
  return {
    id,
    attribute_source,
    attribute_key,
    match_operator,
    ...(typeof match_value === 'string' && takesValue(match_operator, 'mapping') ? { match_value } : {}),
    set_io_kind,
    set_io_role,
    created_at: createdAt,
  }
}

function checkMeaning(input: MappingInput, pointer: string): void {
  try {
    checkClassificationRule(input, pointer)
  } catch (error) {
    throw error instanceof InvalidQuery ? invalidFields(error.faults) : error
  }
}

/** Returns a rule as the API does. Rules never change, so the time of the last change is that of the creation. */
export function toMappingRecord(stored: StoredMapping): MappingRecord {
  return { ...stored, updated_at: stored.created_at }
}

/** Parses the stored rules of a service for a query. */
export function serviceRulesOf(service: string, mappings: readonly StoredMapping[]): ServiceRules {
  return { service, rules: mappings.map((mapping) => parseClassificationRule(mapping)) }
}

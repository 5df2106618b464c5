import { isDeepStrictEqual } from 'node:util'
import { checkMatchers, matchersMax, takesValue } from '#sql'
import type { components } from '../../openapi/types.ts'
import { collectFaults, type FieldFault, invalidFields } from '../problem/problem.ts'
import type { StoredMatcher } from './integration-record.ts'

export type MatcherInput = components['schemas']['MatcherInput']

export const matchersPerIntegrationMax = matchersMax

export interface MatcherListOptions {
  /** Locates the list in the request body. */
  readonly pointer: string
  /** The stored matchers. A matcher in the request that has the id of a stored one keeps it. */
  readonly current: readonly StoredMatcher[]
  readonly newId: () => string
}

/**
 * Checks matchers and fills in their defaults and ids.
 * @throws Problem 400 with every fault of every matcher
 */
export function toStoredMatchers(
  inputs: readonly MatcherInput[],
  { pointer, current, newId }: MatcherListOptions,
): StoredMatcher[] {
  refuseInvalid(inputs, pointer)
  const free = new Set(current.map(({ id }) => id))
  const groups = new Set(inputs.map(({ match_group }) => match_group))
  return inputs.map((input) => {
    const id = input.id !== undefined && free.delete(input.id) ? input.id : newId()
    // The group of a matcher is its id by default, unless another matcher names that group.
    return toStoredMatcher({ match_group: groups.has(id) ? newId() : id, ...input }, id)
  })
}

/** @throws Problem 400 with every fault of every matcher */
function refuseInvalid(inputs: readonly MatcherInput[], pointer: string): void {
  const faults: FieldFault[] = inputs.flatMap((input, index) => conditionFaults(input, `${pointer}/${index}`))
  collectFaults(faults, () => checkMatchers(inputs, pointer))
  if (faults.length > 0) throw invalidFields(faults)
}

/**
 * Returns the faults of an incomplete condition. Ignoring it would match every span of the service. Null is no value:
 * generated Python clients send it with a matcher that they read without a condition.
 */
function conditionFaults({ attribute_key: key, operator, value }: MatcherInput, pointer: string): FieldFault[] {
  if (key !== undefined || (operator === undefined && (value ?? null) === null)) return []
  const message = 'A condition requires `attribute_key`.'
  return [{ pointer: `${pointer}/attribute_key`, code: 'missing_value', message }]
}

function toStoredMatcher(input: MatcherInput & Pick<StoredMatcher, 'match_group'>, id: string): StoredMatcher {
  const { match_group, service, service_match = 'exact', include_descendants = false } = input
  const { attribute_source = 'any', attribute_key, operator, value } = input
  return {
    id,
    match_group,
    service,
    service_match,
    ...(attribute_key === undefined ? {} : { attribute_source, attribute_key }),
    ...(attribute_key === undefined || operator === undefined ? {} : { operator }),
    ...(attribute_key === undefined || operator === undefined || !takesValue(operator, 'matcher')
      ? {}
      : { value: value as NonNullable<StoredMatcher['value']> }),
    include_descendants,
  }
}

/** Reports whether two lists are equal, ignoring the ids of matchers and the names of groups. */
export function haveSameContent(left: readonly StoredMatcher[], right: readonly StoredMatcher[]): boolean {
  return isDeepStrictEqual(withoutNames(left), withoutNames(right))
}

function withoutNames(matchers: readonly StoredMatcher[]): unknown[] {
  const groups = [...new Set(matchers.map(({ match_group }) => match_group))]
  return matchers.map(({ id: _, match_group, ...rest }) => ({ ...rest, group: groups.indexOf(match_group) }))
}

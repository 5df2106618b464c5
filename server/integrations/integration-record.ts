import { isDeepStrictEqual } from 'node:util'
import { parseMatchers, rulesOf, type Slice, servicesJoinedByOr, sliceOf } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Versioned } from '../metadata/record-model.ts'

export type IntegrationRecord = components['schemas']['Integration']

/** A matcher as it is stored, with its defaults filled in. */
export type StoredMatcher = components['schemas']['Matcher']

export interface IntegrationContent {
  readonly name: string
  readonly description: string
  readonly rule_match: 'any' | 'all'
  readonly matchers: readonly StoredMatcher[]
}

export interface StoredIntegration extends IntegrationContent, Versioned {}

/** Returns the integration as the API returns it, with the flags that its content implies. */
export function toIntegrationRecord(stored: StoredIntegration): IntegrationRecord {
  const { id, name, description, rule_match, matchers, version, created_at, updated_at } = stored
  const flags = flagsOf(stored)
  return { id, name, description, rule_match, matchers: [...matchers], flags, version, created_at, updated_at }
}

type RuleContent = Pick<IntegrationContent, 'rule_match' | 'matchers'>

/** Returns the flags of an integration: warnings about its rules. */
export function flagsOf(content: RuleContent): IntegrationRecord['flags'] {
  return joinedUnderAll(content).length === 0 ? [] : ['or_under_all']
}

/** Returns the services whose conditions are joined with `or` although the rule mode is `all`. */
export function joinedUnderAll({ rule_match, matchers }: RuleContent): readonly string[] {
  return rule_match === 'all' ? servicesJoinedByOr(rulesOf(parseMatchers(matchers))) : []
}

/** Reports whether two lists of matchers have the same rules, in any order and written in any way. */
export function haveSameRules(left: readonly StoredMatcher[], right: readonly StoredMatcher[]): boolean {
  return isDeepStrictEqual(ruleTexts(left), ruleTexts(right))
}

function ruleTexts(matchers: readonly StoredMatcher[]): string[] {
  const rules = rulesOf(parseMatchers(matchers))
  return rules
    .map(({ conditions, ...rule }) =>
      JSON.stringify({ ...rule, conditions: conditions.map((condition) => JSON.stringify(condition)).sort() }),
    )
    .sort()
}

/** Returns the slice that the matchers define. */
export function sliceOfContent({ rule_match, matchers }: RuleContent): Slice {
  return sliceOf(rule_match, parseMatchers(matchers))
}

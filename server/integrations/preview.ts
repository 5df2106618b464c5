import { describeRule, parseMatchers, type Rule, type Slice, sliceOf } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { ScopedTelemetry } from '../telemetry/scope.ts'
import { flagsOf } from './integration-record.ts'
import { toStoredMatchers } from './matcher-list.ts'
import { readCounts, readStats } from './slice-reader.ts'

type PreviewRequest = components['schemas']['IntegrationPreviewRequest']

export interface PreviewedRules {
  readonly slice: Slice
  /** As they were sent, one for each rule; null where none was. */
  readonly groups: readonly (string | null)[]
  readonly flags: components['schemas']['IntegrationPreview']['flags']
}

/** @throws Problem 400 with every fault of every matcher */
export function readPreviewedRules({ matchers: inputs, rule_match = 'any' }: PreviewRequest): PreviewedRules {
  let unnamed = 0
  const newId = () => `#${++unnamed}`
  const matchers = toStoredMatchers(inputs, { pointer: '/matchers', current: [], newId })
  const groups = new Map(matchers.map((matcher, index) => [matcher.match_group, inputs[index]?.match_group ?? null]))
  return {
    slice: sliceOf(rule_match, parseMatchers(matchers)),
    groups: [...groups.values()],
    flags: flagsOf({ rule_match, matchers }),
  }
}

/** What the integration takes in, and what each rule takes in by itself, one after the other: a rule is a whole query. */
export async function previewRules(
  telemetry: ScopedTelemetry,
  { slice, groups, flags }: PreviewedRules,
): Promise<components['schemas']['IntegrationPreview']> {
  const stats = await readStats(telemetry, slice)
  const rules: components['schemas']['RulePreview'][] = []
  for (const [index, rule] of slice.rules.entries()) {
    const counts = await readCounts(telemetry, sliceOfRule(slice, rule))
    rules.push({ match_group: groups[index] ?? null, summary: describeRule(rule), ...counts })
  }
  return { ...stats, flags, rules }
}

/**
 * What one rule takes in. Its descendants may lie in the services of all rules, so the others stay, as rules that no span
 * satisfies.
 */
function sliceOfRule({ rules }: Slice, rule: Rule): Slice {
  if (!rule.includesDescendants) return { mode: 'any', rules: [rule] }
  const others = rules.filter((other) => other !== rule)
  return {
    mode: 'any',
    rules: [rule, ...others.map(({ service }) => ({ service, conditions: never, includesDescendants: false }))],
  }
}

const isNamed: Rule['conditions'][number] = {
  attribute: { source: 'intrinsic', key: 'name' },
  test: { kind: 'exists' },
  negated: false,
}

/** Every span has a name, so no span lacks one. */
const never: Rule['conditions'] = [{ ...isNamed, negated: true }]

import { describeRule, parseMatchers, type Rule, type Slice, sliceOf } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { ScopedTelemetry } from '../telemetry/scope.ts'
import { flagsOf } from './integration-record.ts'
import { toStoredMatchers } from './matcher-list.ts'
import { readCounts, readRuleCounts, readStats } from './slice-reader.ts'

type PreviewRequest = components['schemas']['IntegrationPreviewRequest']

export interface PreviewedRules {
  readonly slice: Slice
  /** The `match_group` of each rule as the request names it; null for a rule without a group. */
  readonly groups: readonly (string | null)[]
  readonly flags: components['schemas']['IntegrationPreview']['flags']
}

/**
 * Reads the rules of a preview request.
 * @throws Problem 400 with every fault of every matcher
 */
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

/**
 * Counts the spans of the integration and of each rule alone. One query counts all rules without descendants. Each of
 * the others takes a query of its own, one after the other, because it walks the traces.
 */
export async function previewRules(
  telemetry: ScopedTelemetry,
  { slice, groups, flags }: PreviewedRules,
): Promise<components['schemas']['IntegrationPreview']> {
  const stats = await readStats(telemetry, slice)
  const plain = slice.rules.filter((rule) => !rule.includesDescendants)
  const plainCounts = await readRuleCounts(telemetry, plain)
  const countsOf = new Map(plain.map((rule, index) => [rule, plainCounts[index]]))
  const rules: components['schemas']['RulePreview'][] = []
  for (const [index, rule] of slice.rules.entries()) {
    const counts = countsOf.get(rule) ?? (await readCounts(telemetry, sliceOfRule(slice, rule)))
    rules.push({ match_group: groups[index] ?? null, summary: describeRule(rule), ...counts })
  }
  return { ...stats, flags, rules }
}

/**
 * Returns the slice of a single rule that includes descendants. Descendants may belong to the services of any rule, so
 * the other rules are kept, with a condition that no span satisfies.
 */
function sliceOfRule({ rules }: Slice, rule: Rule): Slice {
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

/** A condition that no span satisfies, because every span has a name. */
const never: Rule['conditions'] = [{ ...isNamed, negated: true }]

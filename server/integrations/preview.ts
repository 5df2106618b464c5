import { describeRule, parseMatchers, type Slice, sliceOf } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { ScopedTelemetry } from '../telemetry/scope.ts'
import { flagsOf } from './integration-record.ts'
import { toStoredMatchers } from './matcher-list.ts'
import { readRuleCounts, readStats } from './slice-reader.ts'

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
export function readPreviewedRules(
  { matchers: inputs, rule_match = 'any' }: PreviewRequest,
  newId: () => string,
): PreviewedRules {
  const matchers = toStoredMatchers(inputs, { pointer: '/matchers', current: [], newId })
  const groups = new Map(matchers.map((matcher, index) => [matcher.match_group, inputs[index]?.match_group ?? null]))
  return {
    slice: sliceOf(rule_match, parseMatchers(matchers)),
    groups: [...groups.values()],
    flags: flagsOf({ rule_match, matchers }),
  }
}

/** Counts the spans of the integration, and of each rule alone, in one query each, however many rules there are. */
export async function previewRules(
  telemetry: ScopedTelemetry,
  { slice, groups, flags }: PreviewedRules,
): Promise<components['schemas']['IntegrationPreview']> {
  const [stats, counts] = await Promise.all([readStats(telemetry, slice), readRuleCounts(telemetry, slice)])
  const rules = slice.rules.flatMap((rule, index): components['schemas']['RulePreview'][] => {
    const ofRule = counts[index]
    if (ofRule === undefined) return []
    return [{ match_group: groups[index] ?? null, summary: describeRule(rule), ...ofRule }]
  })
  return { ...stats, flags, rules }
}

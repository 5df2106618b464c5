/**
 * Parsing with checks that are too expensive to repeat: every regular expression is compiled by RE2. Use `check` for
 * requests, and `parse` for stored queries, which were checked when they were written.
 */
import { RE2JS } from 're2js'
import type { Condition } from '../ir/condition.ts'
import type { ClassificationRule } from '../ir/facet.ts'
import type { MessageRow } from '../ir/message-query.ts'
import type { Matcher } from '../ir/slice.ts'
import { parseClassificationRule, type RawClassificationRule } from '../parse/classification-rule.ts'
import { type AcceptPattern, parseConditions, type RawCondition } from '../parse/condition.ts'
import { parseMatchers, type RawMatcher } from '../parse/matcher.ts'
import { parseMessageRows, type RawMessageRow } from '../parse/message-query.ts'
import type { RecordKind } from '../record-kinds/record-kinds.ts'

/** Parses conditions and compiles their patterns. @throws InvalidQuery with the faults of all conditions */
export function checkConditions(
  conditions: readonly RawCondition[],
  records?: RecordKind,
  pointer?: string,
): Condition[] {
  return parseConditions(conditions, records, pointer, acceptRe2)
}

/** Parses rows and compiles their patterns. @throws InvalidQuery with the faults of all rows */
export function checkMessageRows(rows: readonly RawMessageRow[], pointer?: string): MessageRow[] {
  return parseMessageRows(rows, pointer, acceptRe2)
}

/** Parses matchers and compiles their patterns. @throws InvalidQuery with the faults of all matchers */
export function checkMatchers(matchers: readonly RawMatcher[], pointer?: string): Matcher[] {
  return parseMatchers(matchers, pointer, acceptRe2)
}

/** Parses a rule and compiles its pattern. @throws InvalidQuery with every fault of the rule */
export function checkClassificationRule(rule: RawClassificationRule, pointer?: string): ClassificationRule {
  return parseClassificationRule(rule, pointer, acceptRe2)
}

const acceptRe2: AcceptPattern = (pattern, refuse) => {
  try {
    RE2JS.compile(pattern)
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it does not compile'
    refuse('value', 'invalid_pattern', `Not a valid RE2 regular expression: ${reason}.`)
    return false
  }
}

/**
 * Parsing with checks that are too expensive to repeat: every regular expression is parsed by RE2. Use `check` for
 * requests, and `parse` for stored queries, which were checked when they were written.
 */
import { RE2Set } from 're2js'
import type { Condition } from '../ir/condition.ts'
import type { ClassificationRule } from '../ir/facet.ts'
import type { MessageFilter } from '../ir/message-query.ts'
import type { Matcher } from '../ir/slice.ts'
import { parseClassificationRule, type RawClassificationRule } from '../parse/classification-rule.ts'
import { type AcceptPattern, parseConditions, type RawCondition } from '../parse/condition.ts'
import { parseMatchers, type RawMatcher } from '../parse/matcher.ts'
import { parseMessageFilter, type RawMessageFilter } from '../parse/message-query.ts'
import type { RecordKind } from '../record-kinds/record-kinds.ts'
import { parseTraceQl, type TraceQl } from '../traceql/parse-traceql.ts'
import { patternCost, patternCostMax } from './pattern-cost.ts'
import { classUnknownToRe2 } from './unicode-classes.ts'

/** Parses conditions and checks their patterns. @throws InvalidQuery with the faults of all conditions */
export function checkConditions(
  conditions: readonly RawCondition[],
  records?: RecordKind,
  pointer?: string,
): Condition[] {
  return parseConditions(conditions, records, pointer, acceptRe2())
}

/**
 * Parses the conditions of a message filter and checks their patterns.
 * @throws InvalidQuery with the faults of all rows and relations
 */
export function checkMessageFilter(filter: RawMessageFilter, pointer?: string): MessageFilter {
  return parseMessageFilter(filter, pointer, acceptRe2())
}

/** Parses a TraceQL query and checks its patterns. @throws InvalidTraceQl for a query that is invalid or refused */
export function checkTraceQl(text: string): TraceQl {
  return parseTraceQl(text, acceptRe2())
}

/** Parses matchers and checks their patterns. @throws InvalidQuery with the faults of all matchers */
export function checkMatchers(matchers: readonly RawMatcher[], pointer?: string): Matcher[] {
  return parseMatchers(matchers, pointer, acceptRe2())
}

/** Parses a rule and checks its pattern. @throws InvalidQuery with every fault of the rule */
export function checkClassificationRule(rule: RawClassificationRule, pointer?: string): ClassificationRule {
  return parseClassificationRule(rule, pointer, acceptRe2())
}

/** The compiler's message for each invalid expression among the last ones, and undefined for each valid one. */
const verdicts = new Map<string, string | undefined>()

const verdictsMax = 10_000

/**
 * Creates a check of the regular expressions of one list. It refuses the expression with which the list costs too much
 * to compile, because compiling blocks the event loop. Repeated expressions count once.
 */
function acceptRe2(): AcceptPattern {
  const known = new Set<string>()
  let cost = 0
  return (pattern, refuse) => {
    if (!known.has(pattern)) cost += patternCost(pattern)
    known.add(pattern)
    if (cost > patternCostMax) {
      refuse('value', 'patterns_too_costly', tooCostly)
      return false
    }
    const fault = verdictOn(pattern)
    if (fault === undefined) return true
    refuse('value', 'invalid_pattern', `Not a valid RE2 regular expression: ${fault}.`)
    return false
  }
}

const tooCostly =
  'The regular expressions up to this one are too expensive to compile. Use fewer of them, or fewer Unicode classes, ' +
  'wide ranges and repetition counts.'

/** Parses and simplifies an expression, or returns the known verdict. This finds every fault that compiling finds. */
function verdictOn(pattern: string): string | undefined {
  if (verdicts.has(pattern)) return verdicts.get(pattern)
  const verdict = compile(pattern)
  if (verdicts.size >= verdictsMax) verdicts.delete(verdicts.keys().next().value ?? '')
  verdicts.set(pattern, verdict)
  return verdict
}

function compile(pattern: string): string | undefined {
  const unknown = classUnknownToRe2(pattern)
  if (unknown !== undefined) return `error parsing regexp: invalid character class range: \`${unknown}\``
  try {
    new RE2Set().add(pattern)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'it does not compile'
  }
}

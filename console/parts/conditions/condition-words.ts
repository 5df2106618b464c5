import { type RelationKind, relationKinds } from '../../../sql/ir/relation.ts'
import { formatMilliseconds } from '../time/within.ts'
import { type Condition, keyTextOf, needsValue, type Subject, wordsOf } from './operators.ts'
import { spanFields } from './record-fields.ts'

export interface WordedCondition extends Condition {
  readonly attribute_source?: string
  readonly includeDescendants?: boolean
}

export interface WordedRelation {
  readonly kind: RelationKind
  readonly from: readonly Condition[]
  readonly to: readonly Condition[]
  readonly within_ms?: number
}

/** Describes a condition as the server does: `resource attribute tenant equals "contoso"`. */
export function conditionWords(condition: WordedCondition, subject: Subject): string {
  const { attribute_source: source = 'any', operator, value, includeDescendants } = condition
  const text = keyTextOf(condition)
  // Quoted, because without a source it would be read as the field of that name.
  const key = source === 'any' && Object.hasOwn(spanFields, text) ? JSON.stringify(text) : text
  const sourced = source === 'any' || source === 'intrinsic' ? key : `${source} attribute ${key}`
  const operand = needsValue(condition) ? ` ${JSON.stringify(String(value ?? ''))}` : ''
  const scope = includeDescendants === true ? ' (including child spans)' : ''
  return `${sourced} ${wordsOf(operator, subject)}${operand}${scope}`
}

/** Describes conditions on one step. */
export function stepConditionWords(conditions: readonly Condition[]): string {
  return conditions.map((each) => conditionWords(each, 'step')).join(' and ')
}

/** Describes a relation between two steps. */
export function relationSentence({ kind, from, to, within_ms }: WordedRelation, within?: string): string {
  const step = (conditions: readonly Condition[]) =>
    conditions.length === 0 ? 'a step' : `a step with (${stepConditionWords(conditions)})`
  const known = relationKinds[kind]
  const isTimed = within_ms !== undefined && 'timedWords' in known
  const verb = isTimed ? `${known.timedWords} ${within ?? formatMilliseconds(within_ms)} by` : known.words
  return `${step(from)} ${verb} ${step(to)}`
}

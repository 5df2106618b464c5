import { type Condition, needsValue, type RelationKind, relationWords, type Subject, wordsOf } from './operators.ts'
import { fractionInThrees } from './time.ts'

type LikelyCondition = Condition & { readonly attribute_source?: string; readonly includeDescendants?: boolean }

interface LikelyRelation {
  readonly kind: RelationKind
  readonly from: readonly Condition[]
  readonly to: readonly Condition[]
  readonly within_ms?: number
}

interface LikelyFilter {
  readonly conditions?: readonly Condition[]
  readonly relations?: readonly LikelyRelation[]
  readonly status?: string
  /** Both are absent in a relative window. */
  readonly from?: string
  readonly to?: string
}

/**
 * Returns a sentence about as long as the one that the server will write about a filter. It is never shown: it keeps
 * the place, so that nothing moves when the sentence arrives.
 */
export function likelySentence(noun: string, subject: Subject, filter: LikelyFilter): string {
  const { conditions = [], relations = [], status, from, to } = filter
  const clauses = [...conditions.map((each) => clause(each, subject)), ...relations.map(relationClause)]
  const filtered = `${status === undefined ? '' : ` with status ${status}`}${clauses.length === 0 ? '' : ' where '}`
  const window =
    from === undefined || to === undefined ? 'in the last 24 hours' : `from ${spoken(from)} to ${spoken(to)}`
  return `${noun}${filtered}${clauses.join(' and ')}, ${window}.`
}

/** Returns a clause about one step that is about as long as that of the server. */
export function likelyClause(conditions: readonly Condition[]): string {
  return conditions.map((each) => clause(each, 'step')).join(' and ')
}

function clause(condition: LikelyCondition, subject: Subject): string {
  const { attribute_source: source = 'any', attribute_key, operator, value, includeDescendants } = condition
  const key = source === 'any' || source === 'intrinsic' ? attribute_key : `${source} attribute ${attribute_key}`
  const operand = needsValue(condition) ? ` ${JSON.stringify(String(value ?? ''))}` : ''
  const scope = includeDescendants === true ? ' (including child spans)' : ''
  return `${key} ${wordsOf(operator, subject)}${operand}${scope}`
}

function relationClause({ kind, from, to, within_ms }: LikelyRelation): string {
  const step = (conditions: readonly Condition[]) =>
    conditions.length === 0 ? 'a step' : `a step with (${likelyClause(conditions)})`
  const words = relationWords[kind]
  return `${step(from)} ${within_ms === undefined ? words : words.replace(/ by$/, ' within 10 minutes by')} ${step(to)}`
}

/** Sentences have whole seconds, or milliseconds, microseconds or nanoseconds. */
function spoken(time: string): string {
  const fraction = fractionInThrees(time)
  return `${time.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}${fraction && `.${fraction}`}Z`
}

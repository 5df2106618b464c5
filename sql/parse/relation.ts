import type { Condition } from '../ir/condition.ts'
import { type Relation, relationKindNamed, relationKinds } from '../ir/relation.ts'
import { conditionsMax, relationsMax, withinMsMax } from '../limits.ts'
import {
  type AcceptPattern,
  acceptAnyPattern,
  conditionsLimit,
  parseCondition,
  type RawCondition,
} from './condition.ts'
import { parseList, type Refuse } from './list.ts'

/** An unparsed relation of a request. */
export interface RawRelation {
  readonly kind?: unknown
  readonly from?: unknown
  readonly to?: unknown
  readonly within_ms?: unknown
}

/** The limit on a list of relations. */
export const relationsLimit = { max: relationsMax, message: `A query has at most ${relationsMax} relations.` }

/**
 * Parses the relations of a message filter. `pointer` locates the list in the request body.
 * @throws InvalidQuery with the faults of all relations
 */
export function parseRelations(
  relations: readonly RawRelation[],
  pointer = '/relations',
  acceptPattern: AcceptPattern = acceptAnyPattern,
): Relation[] {
  return parseList(relations, { pointer, limit: relationsLimit }, (raw, refuse) =>
    parseRelation(raw, refuse, acceptPattern),
  )
}

function parseRelation(raw: RawRelation, refuse: Refuse, acceptPattern: AcceptPattern): Relation | undefined {
  const kind = relationKindNamed(raw.kind)
  const from = parseSteps('from', raw.from, refuse, acceptPattern)
  const to = parseSteps('to', raw.to, refuse, acceptPattern)
  if (kind === undefined) {
    const kinds = Object.keys(relationKinds).join(', ')
    return refuse('kind', 'unknown_relation', `The kind of a relation must be one of ${kinds}.`)
  }
  const { link, negated } = relationKinds[kind]
  const { within_ms: withinMs } = raw
  if (withinMs !== undefined) {
    if (link !== 'followed_by')
      return refuse('within_ms', 'within_not_allowed', 'Only `followed_by` and `not_followed_by` take `within_ms`.')
    if (typeof withinMs !== 'number' || !Number.isInteger(withinMs) || withinMs < 0 || withinMs > withinMsMax)
      return refuse('within_ms', 'wrong_type', `\`within_ms\` must be a whole number from 0 to ${withinMsMax}.`)
  }
  if (from === undefined || to === undefined) return undefined
  return { link, negated, from, to, ...(withinMs === undefined ? {} : { withinMs }) }
}

/** Parses the conditions of one of the two steps. Without conditions, every step fits. */
function parseSteps(
  end: 'from' | 'to',
  raw: unknown,
  refuse: Refuse,
  acceptPattern: AcceptPattern,
): Condition[] | undefined {
  if (!Array.isArray(raw)) return refuse(end, 'wrong_type', `A relation requires \`${end}\`, as a list of conditions.`)
  if (raw.length > conditionsMax) return refuse(end, 'too_many_conditions', conditionsLimit.message)
  const parsed = raw.map((condition: RawCondition, index) =>
    parseCondition(condition, (field, code, message) => refuse(`${end}/${index}/${field}`, code, message), {
      acceptPattern,
    }),
  )
  const conditions = parsed.filter((condition) => condition !== undefined)
  return conditions.length === parsed.length ? conditions : undefined
}

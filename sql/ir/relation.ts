import type { Condition } from './condition.ts'

/** How two steps of a message are related: by their starts, or by the tree of the trace. */
export type RelationLink = 'followed_by' | 'contains' | 'called_by'

/** A relation between steps of one message (docs/questions.md, section 16). A step has to satisfy all conditions. */
export interface Relation {
  readonly link: RelationLink
  /** Whether the relation holds for the steps without such a counterpart, as for `not_followed_by`. */
  readonly negated: boolean
  readonly from: readonly Condition[]
  readonly to: readonly Condition[]
  /** The maximum time between the starts of both steps, in whole milliseconds. Only for `followed_by`. */
  readonly withinMs?: number
}

/** The kinds of relations by the name that requests use. */
export const relationKinds = {
  followed_by: { link: 'followed_by', negated: false, words: 'is followed by', timedWords: 'is followed within' },
  not_followed_by: {
    link: 'followed_by',
    negated: true,
    words: 'is not followed by',
    timedWords: 'is not followed within',
  },
  contains: { link: 'contains', negated: false, words: 'contains' },
  not_contains: { link: 'contains', negated: true, words: 'does not contain' },
  called_by: { link: 'called_by', negated: false, words: 'is called by' },
  not_called_by: { link: 'called_by', negated: true, words: 'is not called by' },
} as const satisfies Readonly<Record<string, RelationEntry>>

interface RelationEntry extends Pick<Relation, 'link' | 'negated'> {
  /** The verb of a sentence about the two steps. */
  readonly words: string
  /** The verb that precedes a time limit and `by`. Relations without it do not support `within_ms`. */
  readonly timedWords?: string
}

export type RelationKind = keyof typeof relationKinds

/** Returns the kind with this name; undefined if there is no such kind. */
export function relationKindNamed(name: unknown): RelationKind | undefined {
  return typeof name === 'string' && Object.hasOwn(relationKinds, name) ? (name as RelationKind) : undefined
}

/** Returns the kind of a relation of the IR. */
export function kindOfRelation({ link, negated }: Pick<Relation, 'link' | 'negated'>): RelationKind {
  const kinds = Object.keys(relationKinds) as RelationKind[]
  const found = kinds.find((kind) => relationKinds[kind].link === link && relationKinds[kind].negated === negated)
  if (found === undefined) throw new Error(`There is no ${negated ? 'negative' : 'positive'} form of ${link}.`)
  return found
}

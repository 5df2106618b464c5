import type { Condition } from './condition.ts'

/** What a span does at the boundary of its service: the values of `io.kind` and `io.role` that have a meaning. */
export const ioKinds = ['file', 'queue', 'stream', 'http', 'db', 'email'] as const
export const ioRoles = ['input', 'output'] as const

export type IoKind = (typeof ioKinds)[number]
export type IoRole = (typeof ioRoles)[number]

export interface IoPair {
  readonly kind: IoKind
  readonly role: IoRole
}

/** Gives its pair to a span that carries no `io.kind` and satisfies the condition, unless a rule before it did. */
export interface ClassificationRule {
  readonly condition: Condition
  readonly pair: IoPair
}

/** The classification rules of one service, in the order in which they were created. */
export interface ServiceRules {
  readonly service: string
  readonly rules: readonly ClassificationRule[]
}

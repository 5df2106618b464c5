import type { Condition } from './condition.ts'

/** The values of `io.kind` and `io.role`, which describe what a span does at the boundary of its service. */
export const ioKinds = ['file', 'queue', 'stream', 'http', 'db', 'email'] as const
export const ioRoles = ['input', 'output'] as const

export type IoKind = (typeof ioKinds)[number]
export type IoRole = (typeof ioRoles)[number]

export interface IoPair {
  readonly kind: IoKind
  readonly role: IoRole
}

/** Assigns its pair to spans that carry no `io.kind` and satisfy its condition, unless an earlier rule matches. */
export interface ClassificationRule {
  readonly condition: Condition
  readonly pair: IoPair
}

/** The classification rules of one service, in the order of their creation. */
export interface ServiceRules {
  readonly service: string
  readonly rules: readonly ClassificationRule[]
}

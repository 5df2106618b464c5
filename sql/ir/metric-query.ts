import type { Condition } from './condition.ts'

/** Series of one metric: those for which all conditions are true. */
export interface SeriesQuery {
  readonly metric: string
  readonly conditions: readonly Condition[]
}

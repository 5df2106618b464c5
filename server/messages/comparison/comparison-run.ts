/** A comparison of messages as its queries share it: the two sides, where to read them, and the limits of one query. */
import type { ComparedTotals, Comparison, Sql } from '#sql'
import { readInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'

/** The limits of the work of one query. Within them, the memory of a query is bounded. */
export interface ComparisonLimits {
  /** The maximum number of messages of a side. */
  readonly messagesMax: number
  /** Up to this number of messages of a side, each query gets their ids, instead of searching for them again. */
  readonly fewMax: number
  /** Up to this number of messages of a side, its values are read first: they tell which keys to read at all. */
  readonly veryFewMax: number
  /** Up to this number of steps of few messages, all their attributes are counted in one query. */
  readonly fewStepsMax: number
  /** Up to this number of traces that began before the oldest message to compare, a query reads only what is newer. */
  readonly tracesAcrossMax: number
  /** The maximum number of pairs and keys that a query of all attributes holds. With more, keys are read in batches. */
  readonly groupsMax: number
  /** The maximum number of attributes that one query reads. */
  readonly keysPerQueryMax: number
  /**
   * The maximum number of steps that carry the attributes of a query whose values are not known to be few. It limits
   * the number of values that the query holds.
   */
  readonly unknownStepsMax: number
}

/** Two sides of messages, and where to read their steps. */
export interface ComparisonRun {
  readonly telemetry: ScopedTelemetry
  readonly comparison: Comparison
  /** The numbers of compared messages. */
  readonly totals: ComparedTotals
  readonly limits: ComparisonLimits
}

/** The label of all queries of a comparison. */
export const comparisonLabel = 'message comparison'

/**
 * Settings of queries that read many attributes. By default, ClickHouse limits a block to a megabyte, which is few rows
 * of many columns, and spends most of the time on blocks. A block of this size still bounds the memory for long values.
 */
export const comparisonSettings = { preferred_block_size_bytes: 32 * 1024 ** 2 } as const

/** Reads the rows of one query that reads many attributes. */
export function readCompared<Row>({ telemetry }: Pick<ComparisonRun, 'telemetry'>, query: Sql): Promise<Row[]> {
  return readInScope<Row>(telemetry, query, comparisonLabel, { settings: comparisonSettings })
}

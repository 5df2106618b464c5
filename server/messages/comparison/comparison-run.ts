/** A comparison of messages as its queries share it: the messages, where to read them, and the limits of one query. */
import { type ComparedTotals, comparedTable, type FoundSides, type Sql } from '#sql'
import type { SentTable } from '../../clickhouse/client.ts'
import { largeBlocks } from '../../clickhouse/query-limits.ts'
import { readInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'

/** The limits of the work of one query. Within them, the memory of a query is bounded. */
export interface ComparisonLimits {
  /** The maximum number of messages of a side. */
  readonly messagesMax: number
  /** Up to this number of messages of a side, only their traces are read. */
  readonly fewMax: number
  /** Up to this number of messages of a side, its values are read first: they tell which keys to read at all. */
  readonly veryFewMax: number
  /** Up to this number of steps of few messages, all their attributes are counted in one query. */
  readonly fewStepsMax: number
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

/** The messages of two sides, and where to read their steps. */
export interface ComparisonRun {
  readonly telemetry: ScopedTelemetry
  readonly found: FoundSides
  /** The messages as the rows of `comparedTable`. */
  readonly messages: Buffer
  /** The numbers of compared messages. */
  readonly totals: ComparedTotals
  readonly limits: ComparisonLimits
}

/** The label of all queries of a comparison. */
export const comparisonLabel = 'message comparison'

/** Returns the table that `comparedSteps` reads. */
export function tablesOf({ messages }: ComparisonRun): SentTable[] {
  const { name, structure } = comparedTable
  return [{ name, structure, rowBinary: messages }]
}

/** Reads the rows of one query that reads many attributes. */
export function readCompared<Row>(run: ComparisonRun, query: Sql): Promise<Row[]> {
  return readInScope<Row>(run.telemetry, query, comparisonLabel, {
    settings: largeBlocks,
    tables: tablesOf(run),
  })
}

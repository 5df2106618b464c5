/** The columns of matching traces: those that a query selects, and those that its rows read besides. */
import type { Attribute } from '../../ir/condition.ts'
import { isFieldRow, type MessageQuery } from '../../ir/message-query.ts'
import { columnsOfFields, readStepCounts } from '../message-fields.ts'
import { columnsOfSpanset } from '../spansets.ts'
import type { TraceColumn } from '../trace-columns.ts'

/** The columns to select of each matching trace, in addition to `trace_id`. */
export interface SelectedColumns {
  /** Columns about all spans of the trace in scope, whether or not they match. */
  readonly trace?: readonly TraceColumn[]
  /** Whether to select `is_failed`. */
  readonly status?: boolean
  /**
   * Columns about its matched steps: `step_count` and `failed_step_count`; with `all` also `matched_steps`, pairs of
   * start and span id.
   */
  readonly steps?: 'counts' | 'all'
  /** Whether to select `step_services`, the distinct services of its matched steps. */
  readonly stepServices?: boolean
  /** Attributes to read as `column_values`. */
  readonly columns?: readonly Attribute[]
  /**
   * Attributes to read as `carried_0`, `carried_1`, …: arrays of the tagged texts of each matched step that carries all
   * of them. Not together with `columns`.
   */
  readonly carried?: readonly Attribute[]
}

/** The columns that a query reads of each trace. */
export interface ReadColumns {
  readonly trace: readonly TraceColumn[]
  readonly status: boolean
  readonly steps: 'none' | 'counts' | 'all'
  readonly stepServices: boolean
  readonly columns: readonly Attribute[]
  readonly carried: readonly Attribute[]
}

/** Returns the selected columns and those that field rows of the query read. */
export function readColumns({ rows, spansets }: MessageQuery, selected: SelectedColumns): ReadColumns {
  const { trace = [], status = false, steps = 'none', stepServices = false, columns = [], carried = [] } = selected
  const fields = rows.filter(isFieldRow).map(({ field }) => field)
  const countsSteps = readStepCounts(fields) && steps !== 'all'
  return {
    trace: [
      ...new Set([...trace, ...columnsOfFields(fields), ...(spansets === undefined ? [] : columnsOfSpanset(spansets))]),
    ],
    status,
    steps: countsSteps ? 'counts' : steps,
    stepServices,
    columns,
    carried,
  }
}

/** Returns the attributes to read of each span. */
export function attributesOf({ columns, carried }: ReadColumns): readonly Attribute[] {
  return columns.length > 0 ? columns : carried
}

/** Reports whether the columns are about the matched steps alone, but not their starts. */
export function readsStepsOnly({ trace, steps }: ReadColumns): boolean {
  return trace.length === 0 && steps !== 'all'
}

import { isTemporary, Problem, problem } from '../../problem/problem.ts'
import type { StoreBatch } from './insert-groups.ts'
import type { RowBatch } from './row-batches.ts'

/**
 * Resolves when ClickHouse has acknowledged every batch. A body that is sent again makes the same batches, and what is stored of
 * it already does not count again: not when its answer was lost, not when a batch failed.
 *
 * Rejects with Problem 503, or 429, for whatever happens: the rows are valid, so the sender is to keep and resend them.
 */
export async function storeRows(store: StoreBatch, batches: readonly RowBatch[]): Promise<void> {
  for (const batch of batches) {
    try {
      await store(batch)
    } catch (error) {
      if (error instanceof Problem && isTemporary(error)) throw error
      throw problem('unavailable', 'The telemetry store did not take the rows.', { cause: error })
    }
  }
}

import { createHash } from 'node:crypto'
import type { ClickHouse } from '../clickhouse/client.ts'
import { Problem, problem } from '../http/problem.ts'
import type { RowBatch } from './row-batches.ts'

export type RowSink = Pick<ClickHouse, 'insert'>

/**
 * Resolves when ClickHouse has acknowledged every batch. A body that is sent again makes the same batches with the same
 * tokens, so what is stored of it already is not stored again: not when its answer was lost, not when a batch failed.
 *
 * Rejects with Problem 503, or 429, for whatever happens: the rows are valid, so the sender is to keep and resend them.
 */
export async function storeRows(clickhouse: RowSink, batches: readonly RowBatch[]): Promise<void> {
  for (const { table, bytes, rows } of batches) {
    try {
      const dedupToken = tokenOf(table.name, bytes)
      await clickhouse.insert(table.name, table.columns, bytes, { dedupToken, rows })
    } catch (error) {
      if (error instanceof Problem && (error.status === 503 || error.status === 429)) throw error
      throw problem('unavailable', 'The telemetry store did not take the rows.', { cause: error })
    }
  }
}

/**
 * Of the rows rather than of the body: the same token then means the same rows whatever the limits were that cut the
 * body into batches, and whether it came as protobuf or JSON, compressed or not. The organization is in every row.
 */
function tokenOf(table: string, rows: Buffer): string {
  return createHash('sha256').update(table).update('\0').update(rows).digest('hex')
}

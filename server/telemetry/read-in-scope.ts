import { renderInScope, type Scope, type Sql } from '#sql'
import type { ClickHouse, ReadOptions, ReadResult } from '../clickhouse/client.ts'

/** The telemetry that a scope lets see. Reading ends when `signal` aborts. */
export interface ScopedTelemetry {
  readonly clickhouse: ClickHouse
  readonly scope: Scope
  readonly signal: AbortSignal
}

/** What one query has of its own. */
type OwnOptions = Pick<ReadOptions, 'settings' | 'rowsReadMax'>

/**
 * The one way in which features read telemetry, so that none of them can ask more than the scope allows. `label` names the
 * query in logs, metrics and errors.
 */
export async function readInScope<Row>(
  telemetry: ScopedTelemetry,
  query: Sql,
  label: string,
  options: OwnOptions = {},
): Promise<Row[]> {
  return (await resultInScope<Row>(telemetry, query, label, options)).rows
}

/** The same, with what it took. */
export function resultInScope<Row>(
  { clickhouse, scope, signal }: ScopedTelemetry,
  query: Sql,
  label: string,
  options: OwnOptions = {},
): Promise<ReadResult<Row>> {
  return clickhouse.read<Row>(renderInScope(query, scope), { ...options, label, signal })
}

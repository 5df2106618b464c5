import { renderInScope, type Scope, type Sql } from '#sql'
import type { ClickHouse, ReadOptions } from './client.ts'

/** The telemetry that a scope lets see. Reading ends when `signal` aborts. */
export interface ScopedTelemetry {
  readonly clickhouse: ClickHouse
  readonly scope: Scope
  readonly signal: AbortSignal
}

/**
 * The one way in which features read telemetry, so that none of them can ask more than the scope allows. `label` names the
 * query in logs, metrics and errors.
 */
export async function readInScope<Row>(
  { clickhouse, scope, signal }: ScopedTelemetry,
  query: Sql,
  label: string,
  settings: ReadOptions['settings'] = {},
): Promise<Row[]> {
  return (await clickhouse.read<Row>(renderInScope(query, scope), { label, signal, settings })).rows
}

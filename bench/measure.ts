import type { ClickHouse } from '../server/clickhouse/client.ts'
import { type Query, renderInScope, type Scope, type Sql } from '../sql/index.ts'

export interface Figure {
  readonly name: string
  readonly medianMs: number
  readonly p95Ms: number
  /** Of all queries behind one answer. */
  readonly rowsRead: number
  readonly bytesRead: number
  /** Peak of the largest query. */
  readonly memoryBytes: number
}

/** Adds up what the queries of one answer read. */
export interface Meter {
  readonly clickhouse: ClickHouse
  rowsRead: number
  bytesRead: number
  memoryBytes: number
}

export function meterOf(clickhouse: ClickHouse): Meter {
  const meter: Meter = { clickhouse: { ...clickhouse, read }, rowsRead: 0, bytesRead: 0, memoryBytes: 0 }
  return meter

  async function read<Row>(query: Query, options: Parameters<ClickHouse['read']>[1]) {
    const result = await clickhouse.read<Row>(query, options)
    meter.rowsRead += result.rowsRead
    meter.bytesRead += result.bytesRead
    meter.memoryBytes = Math.max(meter.memoryBytes, result.memoryBytes ?? 0)
    return result
  }
}

/** Runs after two that are not counted, so figures are warm. */
export async function measure(
  clickhouse: ClickHouse,
  name: string,
  runs: number,
  answer: (metered: ClickHouse) => Promise<unknown>,
): Promise<Figure> {
  const times: number[] = []
  let last = meterOf(clickhouse)
  for (let run = -2; run < runs; run++) {
    last = meterOf(clickhouse)
    const begin = performance.now()
    await answer(last.clickhouse)
    if (run >= 0) times.push(performance.now() - begin)
  }
  times.sort((left, right) => left - right)
  const { rowsRead, bytesRead, memoryBytes } = last
  return { name, medianMs: at(times, 0.5), p95Ms: at(times, 0.95), rowsRead, bytesRead, memoryBytes }
}

function at(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}

export function ask(clickhouse: ClickHouse, query: Sql, scope: Scope) {
  return clickhouse.read<Record<string, string>>(renderInScope(query, scope), { label: 'bench' })
}

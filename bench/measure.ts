/** Measures a part of the server without HTTP, for figures that no single operation covers. */
import type { ClickHouse } from '../server/clickhouse/client.ts'
import type { Query } from '../sql/index.ts'
import { markdownTable, spreadOf } from './spread.ts'

export interface Figure {
  readonly name: string
  readonly medianMs: number
  readonly p95Ms: number
  /** Summed over all queries of one call. */
  readonly rowsRead: number
  readonly bytesRead: number
  /** Peak memory of the largest query. */
  readonly memoryBytes: number
}

/** Sums up what the queries of one call read. */
interface Meter {
  readonly clickhouse: ClickHouse
  rowsRead: number
  bytesRead: number
  memoryBytes: number
}

function meterOf(clickhouse: ClickHouse): Meter {
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

/** Measures warm runs after two unmeasured runs. */
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
  const { median, p95 } = spreadOf(times)
  const { rowsRead, bytesRead, memoryBytes } = last
  return { name, medianMs: median, p95Ms: p95, rowsRead, bytesRead, memoryBytes }
}

export function figuresTable(title: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ name, medianMs, p95Ms, rowsRead, bytesRead, memoryBytes }) => [
    name,
    medianMs.toFixed(1),
    p95Ms.toFixed(1),
    rowsRead,
    (bytesRead / 1e6).toFixed(1),
    (memoryBytes / 1e6).toFixed(0),
  ])
  return markdownTable([title, 'median ms', 'p95 ms', 'rows read', 'MB read', 'peak MB'], rows)
}

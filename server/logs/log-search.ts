import {
  type Bounds,
  type Condition,
  type FoundLogRow,
  type LogPosition,
  type LogRecordRow,
  logRecordDetails,
  newestLogRecords,
  type Scope,
} from '#sql'
import type { ClickHouse } from '../clickhouse/client.ts'
import { type ChunkLengths, growth, neededNs } from '../telemetry/chunk-lengths.ts'
import { readInScope, resultInScope } from '../telemetry/read-in-scope.ts'

export interface LogSearchParts {
  readonly clickhouse: ClickHouse
  readonly chunkLengths: ChunkLengths
}

export interface LogQuestion {
  readonly conditions: readonly Condition[]
  readonly scope: Scope
  readonly after?: LogPosition | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

export interface LogPage {
  /** Newest first. */
  readonly rows: readonly LogRecordRow[]
  readonly hasMore: boolean
}

/**
 * The newest log records that make all conditions true, without reading the whole window where less will do: slice by slice
 * from its end, each longer than the one before, until a page is full. A record never moves, so what a slice holds is final,
 * and the cursor's place stays where it is whatever arrives. Only the records of the page are then read whole.
 */
export async function searchLogs(parts: LogSearchParts, question: LogQuestion): Promise<LogPage> {
  const found = await findPage(parts, question)
  const page = found.slice(0, question.limit)
  return { rows: await readWhole(parts.clickhouse, question, page), hasMore: found.length > question.limit }
}

/** One more than the page where there is one, to tell that another page follows. */
async function findPage(
  { clickhouse, chunkLengths }: LogSearchParts,
  { conditions, scope, after, limit, signal }: LogQuestion,
): Promise<FoundLogRow[]> {
  const { fromNs, toNs } = scope.window
  const wanted = limit + 1
  const found: FoundLogRow[] = []
  const search = { org: scope.org, window: scope.window, sought: conditions }
  let { lengthNs } = chunkLengths.first(search)
  const newestNs = after === undefined ? toNs : after.timeNs + 1n
  let sliceToNs = newestNs
  while (sliceToNs > fromNs && found.length < wanted) {
    const sliceFromNs = sliceToNs - lengthNs > fromNs ? sliceToNs - lengthNs : fromNs
    const bounds = { fromNs: sliceFromNs, toNs: sliceToNs }
    const missing = wanted - found.length
    const query = newestLogRecords(conditions, { bounds, limit: missing, ...(after === undefined ? {} : { after }) })
    const { rows, rowsRead } = await resultInScope<FoundLogRow>({ clickhouse, scope, signal }, query, 'log records')
    chunkLengths.noteRows(search, { lengthNs: sliceToNs - sliceFromNs, rowsRead })
    found.push(...rows)
    lengthNs *= growth(rows.length, missing)
    sliceToNs = sliceFromNs
  }
  const last = found[wanted - 1]
  const lastNs = last === undefined ? undefined : BigInt(last.time_ns)
  chunkLengths.notePage(search, neededNs({ fromNs, newestNs }, { lastNs, found: found.length, wanted }))
  return found
}

async function readWhole(
  clickhouse: ClickHouse,
  { scope, signal }: LogQuestion,
  page: readonly FoundLogRow[],
): Promise<LogRecordRow[]> {
  const [newest, oldest] = [page[0], page.at(-1)]
  if (newest === undefined || oldest === undefined) return []
  const bounds: Bounds = { fromNs: BigInt(oldest.time_ns), toNs: BigInt(newest.time_ns) + 1n }
  const query = logRecordDetails(
    page.map(({ id }) => id),
    bounds,
  )
  return readInScope<LogRecordRow>({ clickhouse, scope, signal }, query, 'log record details')
}

import {
  type Bounds,
  type Condition,
  type FoundLogRow,
  type LogPosition,
  type LogRecordRow,
  logRecordDetails,
  newestLogRecords,
} from '#sql'
import { type ChunkLengths, growth, neededNs } from '../telemetry/chunk-lengths.ts'
import { readInScope, resultInScope, type ScopedTelemetry } from '../telemetry/scope.ts'

/** A search for the newest log records after a position. */
export interface LogSearch {
  readonly telemetry: ScopedTelemetry
  readonly conditions: readonly Condition[]
  readonly after?: LogPosition
  readonly limit: number
  readonly chunkLengths: ChunkLengths
}

export interface LogPage {
  /** Newest first. */
  readonly rows: readonly LogRecordRow[]
  readonly hasMore: boolean
}

/**
 * Finds the newest log records that satisfy all conditions. Avoids reading the whole window: it reads consecutive
 * chunks from the end of the window, each longer than the one before, until a page is full. The time of a record never
 * changes, so the result for a chunk is final, and a cursor keeps its position when new records arrive. Then only the
 * records of the page are read completely.
 */
export async function searchLogs(search: LogSearch): Promise<LogPage> {
  const found = await findPage(search)
  const page = found.slice(0, search.limit)
  return { rows: await readDetails(search.telemetry, page), hasMore: found.length > search.limit }
}

/** Finds the records of the page, and one more to detect a next page. */
async function findPage({ telemetry, conditions, after, limit, chunkLengths }: LogSearch): Promise<FoundLogRow[]> {
  const { org, window } = telemetry.scope
  const estimate = { org, window, sought: conditions }
  const wanted = limit + 1
  const found: FoundLogRow[] = []
  const newestNs = after === undefined ? window.toNs : after.timeNs + 1n
  let { lengthNs } = chunkLengths.first(estimate)
  let toNs = newestNs
  while (toNs > window.fromNs && found.length < wanted) {
    const fromNs = toNs - lengthNs > window.fromNs ? toNs - lengthNs : window.fromNs
    const missing = wanted - found.length
    const options = { bounds: { fromNs, toNs }, limit: missing, ...(after === undefined ? {} : { after }) }
    const query = newestLogRecords(conditions, options)
    const { rows, rowsRead } = await resultInScope<FoundLogRow>(telemetry, query, 'log records')
    chunkLengths.noteRows(estimate, { lengthNs: toNs - fromNs, rowsRead })
    found.push(...rows)
    lengthNs *= growth(rows.length, missing)
    toNs = fromNs
  }
  const last = found[wanted - 1]
  const lastNs = last === undefined ? undefined : BigInt(last.time_ns)
  chunkLengths.notePage(estimate, neededNs({ fromNs: window.fromNs, newestNs, found: found.length, wanted, lastNs }))
  return found
}

async function readDetails(telemetry: ScopedTelemetry, page: readonly FoundLogRow[]): Promise<LogRecordRow[]> {
  const [newest, oldest] = [page[0], page.at(-1)]
  if (newest === undefined || oldest === undefined) return []
  const bounds: Bounds = { fromNs: BigInt(oldest.time_ns), toNs: BigInt(newest.time_ns) + 1n }
  const ids = page.map(({ id }) => id)
  return readInScope<LogRecordRow>(telemetry, logRecordDetails(ids, bounds), 'log record details')
}

import { candidateMessages, type MessageQuery, messageDetails, type PagePosition, type Scope, type Sql } from '#sql'
import type { ClickHouse } from '../clickhouse/client.ts'
import { readInScope } from '../clickhouse/read-in-scope.ts'
import { firstSliceNs, growth } from '../time-slices.ts'
import { type MessageRecord, newestFirst, type StoredMessage, toMessageRecord } from './message-record.ts'

export interface PageQuestion {
  readonly query: MessageQuery
  readonly scope: Scope
  readonly after?: PagePosition
  readonly limit: number
  readonly signal: AbortSignal
}

export interface MessagePage {
  readonly messages: readonly MessageRecord[]
  readonly hasMore: boolean
  /** The moment that the page is of, in microseconds since 1970 by ClickHouse's clock. */
  readonly storedByMicros: bigint
}

interface Candidates {
  readonly traceIds: readonly string[]
  /** They are enough for a page, and one more to tell that another page follows. */
  readonly isPage: boolean
  readonly askedMicros: bigint
}

interface CandidateRow {
  readonly trace_id: string
  readonly asked_micros: string
}

/**
 * The newest matching messages, without reading the whole window where less will do. A message that starts within the
 * newest slice of the window has all of its spans there, so what the slice says of it is final. The slice grows until it
 * holds a page. Every candidate is evaluated over the whole window before it is returned, and one that turns out to have
 * started before the slice waits for a longer one: the page is the same as without slices.
 */
export async function searchPage(clickhouse: ClickHouse, question: PageQuestion): Promise<MessagePage> {
  const { scope, after, limit } = question
  const { fromNs, toNs } = scope.window
  const newestNs = after === undefined ? toNs : after.startedNs + 1n
  let lengthNs = firstSliceNs(scope.window)
  for (;;) {
    const sliceFromNs = larger(newestNs - lengthNs, fromNs)
    const isWhole = sliceFromNs === fromNs
    const found = await readCandidates(clickhouse, question, sliceFromNs)
    if (isWhole || found.isPage) {
      const messages = await readMessages(clickhouse, question, found)
      const final = messages.filter((message) => message.startedNs >= sliceFromNs)
      if (isWhole || final.length > limit) return pageOf(final, limit, scope.storedByMicros ?? found.askedMicros)
    }
    lengthNs *= growth(found.traceIds.length, limit + 1)
  }
}

function pageOf(final: readonly MessageRecord[], limit: number, storedByMicros: bigint): MessagePage {
  return { messages: final.slice(0, limit), hasMore: final.length > limit, storedByMicros }
}

async function readCandidates(
  clickhouse: ClickHouse,
  { query, scope, after, limit, signal }: PageQuestion,
  fromNs: bigint,
): Promise<Candidates> {
  const options = { narrowing: { fromNs }, limit: limit + 1, ...(after === undefined ? {} : { after }) }
  const rows = await read<CandidateRow>(
    clickhouse,
    candidateMessages(query, options),
    scope,
    'message candidates',
    signal,
  )
  return {
    traceIds: rows.map((row) => row.trace_id),
    isPage: rows.length > limit,
    askedMicros: BigInt(rows[0]?.asked_micros ?? 0),
  }
}

/** As of the moment of the candidates, so that what arrives in between does not move a message past the cursor. */
async function readMessages(
  clickhouse: ClickHouse,
  { query, scope, signal }: PageQuestion,
  { traceIds, askedMicros }: Candidates,
): Promise<MessageRecord[]> {
  if (traceIds.length === 0) return []
  const asOf: Scope = { ...scope, storedByMicros: scope.storedByMicros ?? askedMicros }
  const rows = await read<StoredMessage>(clickhouse, messageDetails(query, traceIds), asOf, 'message details', signal)
  return rows.map(toMessageRecord).sort(newestFirst)
}

async function read<Row>(
  clickhouse: ClickHouse,
  query: Sql,
  scope: Scope,
  label: string,
  signal: AbortSignal,
): Promise<Row[]> {
  return readInScope<Row>({ clickhouse, scope, signal }, query, label)
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

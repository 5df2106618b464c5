import { createHash, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { telemetryTables } from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { isTemporary, Problem, problem } from '../../problem/problem.ts'
import { msPerDay } from '../../telemetry/time-units.ts'
import { RepeatCheck, storeIntervals } from './repeated-spans.ts'
import { insertLimits, type RowBatch, type RowTable } from './row-batches.ts'

export type RowSink = Pick<ClickHouse, 'insert' | 'read'>

/**
 * Maximum number of concurrent inserts into one table. Batches that arrive meanwhile wait and share the next insert,
 * because a part costs ClickHouse far more than the rows in it. A single batch does not wait.
 */
const concurrentInsertsMax = 2
/** The size of the waiting batches at which they are inserted beside a running insert, instead of after it. */
const bytesBesideMin = 4 * 2 ** 20

/**
 * Stores the batches of one request of an organization in their order. Resolves when ClickHouse has acknowledged all of
 * them. Requests with different idempotency keys are different requests, even if their rows are equal.
 */
export type StoreRows = (org: string, batches: readonly RowBatch[], idempotencyKey?: string) => Promise<void>

/**
 * Creates the function that inserts rows. A request that is sent again produces the same batches with the same
 * deduplication tokens, so rows that are already stored count once, whether the response was lost or a batch failed.
 *
 * The function rejects with Problem 503 or 429 for every failure: the rows are valid, so the sender should keep and
 * resend them.
 */
export function createRowStore(sink: RowSink): StoreRows {
  // ClickHouse recognizes a token even if its rows have expired since, and then stores nothing. Rows that are sent
  // again after the retention has grown, which takes a restart, must be stored. So where equal rows count once anyway,
  // a token of rows that may have expired is not repeated after a restart.
  const run = randomUUID()
  // A hash of the rows rather than of the body, so that the same telemetry has the same token in protobuf and JSON,
  // compressed or not. Every row contains the organization.
  const tokenOf = ({ table, bytes, firstDay }: RowBatch) =>
    hashOf([`${table.mergesEqualRows && mayHaveExpired(firstDay) ? run : ''}${table.name}\0`, bytes])
  const groups = new Map<RowTable, InsertGroups>()
  const repeats = new RepeatCheck(sink, run)

  /**
   * Returns the tokens of batches of which every row counts, even if an equal row exists. ClickHouse takes an insert
   * with a known token for a repetition and stores nothing. The token must therefore differ from that of an equal batch
   * in the same request, in one that continues differently, or in one with another idempotency key.
   */
  async function tokensOfRequest(batches: readonly RowBatch[], idempotencyKey: string): Promise<readonly string[]> {
    const tokens: string[] = []
    for (const batch of batches) {
      // Other requests progress meanwhile: hashing one batch takes as long as several steps of decoding.
      if (tokens.length > 0) await setImmediate()
      tokens.push(tokenOf(batch))
    }
    if (tokens.length === 1 && idempotencyKey === '') return tokens
    return tokens.map((_, index) => hashOf([`batch ${index}\0`, ...tokens, idempotencyKey]))
  }

  async function store(org: string, batch: RowBatch, token = tokenOf(batch)): Promise<void> {
    const { table } = batch
    if (!table.mergesEqualRows) return insert(sink, [{ org, batch, token }])
    const known = groups.get(table) ?? new InsertGroups(sink)
    groups.set(table, known)
    await known.store({ org, batch, token })
    if (batch.traces.spans.length > 0) await repeats.check(org, batch.traces)
  }

  return async (org, batches, idempotencyKey = '') => {
    const counted = batches.filter(({ table }) => !table.mergesEqualRows)
    const tokens = counted.length === 0 ? [] : await tokensOfRequest(counted, idempotencyKey)
    const tokenOfBatch = new Map(counted.map((batch, index) => [batch, tokens[index]]))
    for (const batch of batches) {
      try {
        await store(org, batch, tokenOfBatch.get(batch))
      } catch (error) {
        throw retryable(error)
      }
    }
  }
}

/** Reports whether rows of a day may have been stored and expired. The shortest retention is a day. */
function mayHaveExpired(day: number): boolean {
  return day < Math.floor(Date.now() / msPerDay)
}

/** Returns the problem of an error that prevented rows from being stored. */
function retryable(error: unknown): Problem {
  const isKnown = error instanceof Problem && isTemporary(error)
  if (isKnown && error.code !== 'query_timeout') return error
  // The problem of a query advises its caller to ask for less, which a sender cannot do.
  const detail = isKnown ? 'ClickHouse did not store the telemetry in time.' : 'Could not store the telemetry.'
  const cause = isKnown ? error : new RowsRefused(error)
  return problem('unavailable', `${detail} Retry later.`, { retryAfterSeconds: 2, cause })
}

/** ClickHouse is running and did not store rows of this server, which is a fault of the server. */
export class RowsRefused extends Error {
  override readonly name = 'RowsRefused'

  constructor(cause: unknown) {
    super('ClickHouse did not store the rows.', { cause })
  }
}

interface TokenedBatch {
  readonly org: string
  readonly batch: RowBatch
  readonly token: string
}

interface WaitingBatch extends TokenedBatch {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Inserts the batches of concurrent requests in groups. Used for one table whose equal rows count once. Each group
 * takes batches from all organizations in turn, so that nobody waits for more than the groups that are being inserted.
 */
class InsertGroups {
  private readonly sink: RowSink
  /** The batches of each organization. The organization that was served the longest time ago comes first. */
  private readonly waiting = new Map<string, WaitingBatch[]>()
  private waitingBytes = 0
  private running = 0

  constructor(sink: RowSink) {
    this.sink = sink
  }

  store(tokened: TokenedBatch): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(tokened.org) ?? []
      this.waiting.set(tokened.org, line)
      line.push({ ...tokened, resolve, reject })
      this.waitingBytes += tokened.batch.bytes.length
      if (this.mayBegin()) void this.run()
    })
  }

  private mayBegin(): boolean {
    const { running, waitingBytes } = this
    return running === 0 || (running < concurrentInsertsMax && waitingBytes >= bytesBesideMin)
  }

  private async run(): Promise<void> {
    this.running++
    while (this.waiting.size > 0) {
      const group = takeGroup(this.waiting)
      this.waitingBytes -= group.reduce((sum, { batch }) => sum + batch.bytes.length, 0)
      await this.storeGroup(group)
    }
    this.running--
  }

  private async storeGroup(group: readonly WaitingBatch[]): Promise<void> {
    try {
      await insert(this.sink, group)
      for (const { resolve } of group) resolve()
    } catch (error) {
      // ClickHouse is down or overloaded. Inserting each batch separately would add to its load.
      const isTemporaryFailure = error instanceof Problem && isTemporary(error)
      if (group.length === 1 || isTemporaryFailure) for (const { reject } of group) reject(error)
      // ClickHouse may have rejected the rows of one request only: the others must not fail with it.
      else for (const one of group) await this.storeGroup([one])
    }
  }
}

/** Takes as many batches as fit into one insert, at least one: the first of each organization, then the second ones. */
function takeGroup(waiting: Map<string, WaitingBatch[]>): WaitingBatch[] {
  const { rowsPerInsertMax, bytesPerInsertMax, daysPerInsertMax } = insertLimits
  const group: WaitingBatch[] = []
  let [rows, bytes, days] = [0, 0, 0]
  for (;;) {
    const [[org, line] = []] = waiting
    const [next] = line ?? []
    if (org === undefined || line === undefined || next === undefined) return group
    rows += next.batch.rows
    bytes += next.batch.bytes.length
    days += next.batch.days
    const fits = rows <= rowsPerInsertMax && bytes <= bytesPerInsertMax && days <= daysPerInsertMax
    if (group.length > 0 && !fits) return group
    group.push(next)
    line.shift()
    waiting.delete(org)
    if (line.length > 0) waiting.set(org, line)
  }
}

async function insert(sink: RowSink, group: readonly TokenedBatch[]): Promise<void> {
  // A batch that was sent twice concurrently is inserted once.
  const batches = new Map(group.map(({ token, batch }) => [token, batch]))
  const members = [...batches.values()]
  const [first] = members
  const [{ org } = { org: '' }] = group
  if (first === undefined) return
  const { name } = first.table
  const [token = '', ...others] = batches.keys()
  const dedupToken = others.length === 0 ? token : hashOf([token, ...others])
  const rows = members.reduce((sum, batch) => sum + batch.rows, 0)
  const bytes = members.map((batch) => batch.bytes)
  const traces = group.map((one) => ({ org: one.org, traces: one.batch.traces }))
  await Promise.all([
    sink.insert(name, Object.keys(telemetryTables[name].columns), bytes, { org, dedupToken, rows }),
    storeIntervals(sink, traces, dedupToken),
  ])
}

function hashOf(values: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const value of values) hash.update(value)
  return hash.digest('hex')
}

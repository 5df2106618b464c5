import { createHash } from 'node:crypto'
import { telemetryTables } from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { isTemporary, Problem, problem } from '../../problem/problem.ts'
import { insertLimits, type RowBatch, type RowTable } from './row-batches.ts'

export type RowSink = Pick<ClickHouse, 'insert'>

/**
 * Maximum number of concurrent inserts into one table. Batches that arrive meanwhile wait and share the next insert,
 * because a part costs ClickHouse far more than the rows in it. A single batch does not wait.
 */
const concurrentInsertsMax = 2

/** Stores the batches of one request in their order. Resolves when ClickHouse has acknowledged all of them. */
export type StoreRows = (batches: readonly RowBatch[]) => Promise<void>

/**
 * Creates the function that inserts rows. A request that is sent again produces the same batches with the same
 * deduplication tokens, so rows that are already stored count once, whether the response was lost or a batch failed.
 *
 * The function rejects with Problem 503 or 429 for every failure: the rows are valid, so the sender should keep and
 * resend them.
 */
export function createRowStore(sink: RowSink): StoreRows {
  const groups = new Map<RowTable, InsertGroups>()

  async function store(batch: RowBatch): Promise<void> {
    const { table } = batch
    // Every row of such a table counts, even if an equal row exists, so the token of an insert must belong to a single
    // request.
    if (!table.mergesEqualRows) return insert(sink, [{ batch, token: tokenOf(batch) }])
    const known = groups.get(table) ?? new InsertGroups(sink)
    groups.set(table, known)
    return known.store(batch)
  }

  return async (batches) => {
    for (const batch of batches) {
      try {
        await store(batch)
      } catch (error) {
        if (error instanceof Problem && isTemporary(error)) throw error
        throw problem('unavailable', 'Could not store the telemetry. Retry later.', { cause: error })
      }
    }
  }
}

interface TokenedBatch {
  readonly batch: RowBatch
  readonly token: string
}

interface WaitingBatch extends TokenedBatch {
  resolve(): void
  reject(error: unknown): void
}

/** Inserts the batches of concurrent requests in groups. Used for one table whose equal rows count once. */
class InsertGroups {
  private readonly sink: RowSink
  private readonly waiting: WaitingBatch[] = []
  private running = 0

  constructor(sink: RowSink) {
    this.sink = sink
  }

  store(batch: RowBatch): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ batch, token: tokenOf(batch), resolve, reject })
      if (this.running < concurrentInsertsMax) void this.run()
    })
  }

  private async run(): Promise<void> {
    this.running++
    while (this.waiting.length > 0) await this.storeGroup(takeGroup(this.waiting))
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

/** Takes from the front of the queue as many batches as fit into one insert, at least one. */
function takeGroup(waiting: WaitingBatch[]): WaitingBatch[] {
  let rows = 0
  let bytes = 0
  let days = 0
  const end = waiting.findIndex(({ batch }, index) => {
    rows += batch.rows
    bytes += batch.bytes.length
    days += batch.days
    const { rowsPerInsertMax, bytesPerInsertMax, daysPerInsertMax } = insertLimits
    return index > 0 && (rows > rowsPerInsertMax || bytes > bytesPerInsertMax || days > daysPerInsertMax)
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

async function insert(sink: RowSink, group: readonly TokenedBatch[]): Promise<void> {
  // A batch that was sent twice concurrently is inserted once.
  const batches = new Map(group.map(({ token, batch }) => [token, batch]))
  const members = [...batches.values()]
  const [first] = members
  if (first === undefined) return
  const { name } = first.table
  const [token = '', ...others] = batches.keys()
  const dedupToken = others.length === 0 ? token : hashOf([token, ...others])
  const rows = members.reduce((sum, batch) => sum + batch.rows, 0)
  const bytes = members.map((batch) => batch.bytes)
  await sink.insert(name, Object.keys(telemetryTables[name].columns), bytes, { dedupToken, rows })
}

/**
 * Returns the deduplication token of a batch: a hash of the rows rather than of the body, so that the same telemetry
 * has the same token in protobuf and JSON, compressed or not. Every row contains the organization.
 */
function tokenOf({ table, bytes }: RowBatch): string {
  return hashOf([`${table.name}\0`, bytes])
}

function hashOf(values: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const value of values) hash.update(value)
  return hash.digest('hex')
}

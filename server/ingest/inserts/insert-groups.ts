import { createHash } from 'node:crypto'
import type { ClickHouse } from '../../clickhouse/client.ts'
import { isTemporary, Problem } from '../../problem/problem.ts'
import { insertLimits, type RowBatch, type RowTable } from './row-batches.ts'

export type RowSink = Pick<ClickHouse, 'insert'>

/**
 * Inserts of one table at once. What comes meanwhile waits and then goes as one insert: a part costs ClickHouse far more than the
 * rows in it, and a sender that is alone waits for nobody.
 */
const insertsAtOnce = 2

interface TokenedBatch {
  readonly batch: RowBatch
  readonly token: string
}

interface Waiting extends TokenedBatch {
  resolve(): void
  reject(error: unknown): void
}

/** The batches of requests that are stored at the same time, of one table whose equal rows count once. */
class TableGroups {
  private readonly sink: RowSink
  private readonly waiting: Waiting[] = []
  private running = 0

  constructor(sink: RowSink) {
    this.sink = sink
  }

  store(batch: RowBatch): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ batch, token: tokenOf(batch), resolve, reject })
      if (this.running < insertsAtOnce) void this.run()
    })
  }

  private async run(): Promise<void> {
    this.running++
    while (this.waiting.length > 0) await this.storeGroup(takeGroup(this.waiting))
    this.running--
  }

  private async storeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await insert(this.sink, group)
      for (const { resolve } of group) resolve()
    } catch (error) {
      // ClickHouse is away or has too much to do: asking again for each would make it worse.
      const isOfNone = error instanceof Problem && isTemporary(error)
      if (group.length === 1 || isOfNone) for (const { reject } of group) reject(error)
      // Whatever ClickHouse has against the rows of one request is not held against the others.
      else for (const one of group) await this.storeGroup([one])
    }
  }
}

/** Takes from the front what one insert may hold; always at least one. */
function takeGroup(waiting: Waiting[]): Waiting[] {
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
  // A body that came twice at once is sent once.
  const batches = new Map(group.map(({ token, batch }) => [token, batch]))
  const [first] = batches.values()
  if (first === undefined) return
  const { name, columns } = first.table
  const [token = '', ...others] = batches.keys()
  const dedupToken = others.length === 0 ? token : hashOf([token, ...others])
  const members = [...batches.values()]
  const rows = members.reduce((sum, batch) => sum + batch.rows, 0)
  await sink.insert(
    name,
    columns,
    members.map(({ bytes }) => bytes),
    { dedupToken, rows },
  )
}

/**
 * Of the rows rather than of the body: the same token then means the same rows whatever the limits were that cut the
 * body into batches, and whether it came as protobuf or JSON, compressed or not. The organization is in every row.
 */
function tokenOf({ table, bytes }: RowBatch): string {
  return hashOf([`${table.name}\0`, bytes])
}

function hashOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

export type StoreBatch = (batch: RowBatch) => Promise<void>

/** Stores batches; resolves when ClickHouse has acknowledged the batch, and rejects with what ClickHouse answered. */
export function createInsertGroups(sink: RowSink): StoreBatch {
  const groups = new Map<RowTable, TableGroups>()
  return async (batch) => {
    const { table } = batch
    // Such rows count as often as they are stored, so an insert must have a token that is its request's alone.
    if (!table.mergesEqualRows) return insert(sink, [{ batch, token: tokenOf(batch) }])
    const known = groups.get(table) ?? new TableGroups(sink)
    groups.set(table, known)
    return known.store(batch)
  }
}

import { Pace } from '../../background/pace.ts'
import { untilTurn } from './response-parts.ts'

/** Memory of one position. */
export const positionBytes = 32

const initialLength = 1_024
const half = (1n << 64n) - 1n

/** A record and the range of time that has to be read for it. */
export interface Position {
  /** Decimal text of an unsigned integer of at most 128 bits. */
  readonly id: string
  readonly fromNs: bigint
  /** Inclusive. */
  readonly lastNs: bigint
}

/** The positions of many records, in 32 bytes each. */
export class PositionList {
  length = 0
  /** Four numbers per position: the halves of the id, and both times. */
  private numbers = new BigInt64Array(4 * initialLength)

  add({ id, fromNs, lastNs }: Position): void {
    if (4 * this.length === this.numbers.length) this.grow()
    const number = BigInt(id)
    this.numbers.set([BigInt.asIntN(64, number >> 64n), BigInt.asIntN(64, number), fromNs, lastNs], 4 * this.length)
    this.length++
  }

  private grow(): void {
    const grown = new BigInt64Array(2 * this.numbers.length)
    grown.set(this.numbers)
    this.numbers = grown
  }

  slice(first: number, count: number): Position[] {
    const end = Math.min(this.length, first + count)
    return Array.from({ length: Math.max(0, end - first) }, (_, at) => this.at(first + at))
  }

  private at(position: number): Position {
    const [high = 0n, low = 0n, fromNs = 0n, lastNs = 0n] = this.numbers.subarray(4 * position, 4 * position + 4)
    return { id: ((BigInt.asUintN(64, high) << 64n) | (low & half)).toString(), fromNs, lastNs }
  }
}

/** Returns the range of time that has to be read for some records. */
export function timesOf(positions: readonly Position[]): { readonly fromNs: bigint; readonly toNs: bigint } {
  const fromNs = positions.reduce(
    (least, each) => (each.fromNs < least ? each.fromNs : least),
    positions[0]?.fromNs ?? 0n,
  )
  const lastNs = positions.reduce((most, each) => (each.lastNs > most ? each.lastNs : most), fromNs)
  return { fromNs, toNs: lastNs + 1n }
}

/** Reads the positions of a result, in its order. */
export async function readPositions<Row>(
  blocks: AsyncIterable<readonly Row[]>,
  positionOf: (row: Row) => Position,
): Promise<PositionList> {
  const positions = new PositionList()
  const pace = new Pace()
  for await (const rows of blocks) {
    for (const row of rows) positions.add(positionOf(row))
    await pace.rest()
  }
  return positions
}

/** The first batch has as many records. Each of the following has up to four times as many as the one before. */
const firstBatchRecords = 100
const batchGrowthMax = 4
const batchRecordsMax = 1_000

/** A batch of records as large as those of the batch before has at most this number of characters. */
export const batchCharactersMax = 4 * 1024 ** 2

/**
 * Reads the records of positions in batches, fewer at once if they are large. `sizeOf` returns about the number of
 * characters of a record.
 */
export async function* readInBatches<Row>(
  positions: PositionList,
  read: (batch: readonly Position[]) => Promise<readonly Row[]>,
  sizeOf: (row: Row) => number,
): AsyncGenerator<readonly Row[]> {
  for (let first = 0, count = firstBatchRecords; first < positions.length; ) {
    const batch = positions.slice(first, count)
    const rows = await (first === 0 ? read(batch) : untilTurn(() => read(batch)))
    yield rows
    first += count
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0) / Math.max(1, rows.length)
    const fitting = Math.floor(batchCharactersMax / Math.max(1, size))
    count = Math.max(1, Math.min(fitting, count * batchGrowthMax, batchRecordsMax))
  }
}

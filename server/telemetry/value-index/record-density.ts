import {
  bucketNs,
  type IndexedTable,
  type RecordCountRow,
  recordsWithin,
  type SlotsOfBucket,
  slotsPerBucket,
  type TimeWindow,
} from '#sql'
import { readRowCount } from '../../clickhouse/usage.ts'
import { type ChunkLengths, rowsPerGranule } from '../chunk-lengths.ts'
import { createMemory, type Memory } from '../memory.ts'
import { readInScope, type ScopedTelemetry } from '../scope.ts'
import { placesMax } from './claim-places.ts'

/** How many rows a window holds, and how dense they are. */
export interface Density {
  readonly window: TimeWindow
  /** The length that holds about a granule of rows where there are any. */
  readonly granuleNs: bigint
  /** The number of all stored records. They may be in a small part of the window. */
  readonly recordCount: number
}

/** Places that hold more than this part of the granules of a window are not worth reading one by one. */
const partMax = 1 / 2
/** The limit for a value in most slots of its buckets: it is in many traces there, and a page needs few of them. */
const partMaxOfFullBuckets = 1 / 8
/** How long a number of records is known. It is read often enough that a growing store soon uses the value index. */
const recordCountMs = 60_000

/** Reports whether reading some slots of some buckets is cheaper than reading the window. */
export function isWorthwhile(buckets: number, slots: number, { window, granuleNs, recordCount }: Density): boolean {
  const granules = Math.min(Number(window.toNs - window.fromNs) / Number(granuleNs), recordCount / rowsPerGranule)
  const read = Math.max(buckets, (slots / slotsPerBucket) * (Number(bucketNs) / Number(granuleNs)))
  const part = slots > (buckets * slotsPerBucket) / 2 ? partMaxOfFullBuckets : partMax
  return buckets <= placesMax && read <= granules * part
}

/** What is known of the density of each organization's records in a table, whether or not a caller may see them. */
export class RecordDensity {
  private readonly table: IndexedTable
  /** The number of stored records of an organization. */
  private readonly recordCounts: Memory<number>
  /** The length that holds about a granule of an organization's rows in one place. */
  private readonly granules: Memory<bigint>

  constructor(table: IndexedTable, now: () => Date) {
    this.table = table
    this.recordCounts = createMemory(now, recordCountMs)
    this.granules = createMemory(now)
  }

  /** Returns the density of the records in a window. Reads what is not known, by the newest of some places. */
  async read(telemetry: ScopedTelemetry, [newest]: readonly SlotsOfBucket[], lengths: ChunkLengths): Promise<Density> {
    const { org, window } = telemetry.scope
    if (newest !== undefined && this.granules.get(org) === undefined)
      this.granules.set(org, await readGranuleNs(this.table, telemetry, newest))
    const granuleNs = this.knownGranuleNs(org, lengths) ?? bucketNs
    return { window, granuleNs, recordCount: await this.recordCount(telemetry) }
  }

  /** Returns the number of stored records of the organization. */
  async recordCount({ clickhouse, scope: { org }, signal, isBackground }: ScopedTelemetry): Promise<number> {
    const known = this.recordCounts.get(org)
    if (known !== undefined) return known
    const options = { for: { org, isBackground }, label: 'usage', signal }
    const count = await readRowCount(clickhouse, this.table, org, options)
    this.recordCounts.set(org, count)
    return count
  }

  /**
   * Returns the length that holds about a granule of rows: by one place, or by the ends of the windows of earlier
   * searches, where that is shorter. Either may have been quiet. Returns undefined if neither is known.
   */
  knownGranuleNs(org: string, lengths: ChunkLengths): bigint | undefined {
    const [byPlace, byEnds] = [this.granules.get(org), lengths.granuleNs(org)]
    if (byPlace === undefined || byEnds === undefined) return byPlace ?? byEnds
    return byPlace < byEnds ? byPlace : byEnds
  }
}

/** Reads the number of records in the bucket of a place, and returns the length that holds about a granule of them. */
async function readGranuleNs(
  table: IndexedTable,
  telemetry: ScopedTelemetry,
  { fromNs }: SlotsOfBucket,
): Promise<bigint> {
  const query = recordsWithin(table, { fromNs, toNs: fromNs + bucketNs })
  const [row] = await readInScope<RecordCountRow>(telemetry, query, 'records of a place')
  return (bucketNs * BigInt(rowsPerGranule)) / BigInt(Math.max(1, Number(row?.record_count ?? 0)))
}

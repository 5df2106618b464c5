import { bucketNs, type SlotsOfBucket, slotsPerBucket, spansWithin, type TimeWindow } from '#sql'
import { readRowCount } from '../clickhouse/usage.ts'
import { type ChunkLengths, rowsPerGranule } from './chunk-lengths.ts'
import { placesMax } from './claim-places.ts'
import { createMemory, type Memory } from './memory.ts'
import { readInScope, type ScopedTelemetry } from './scope.ts'

/** How many rows a window holds, and how dense they are. */
export interface Density {
  readonly window: TimeWindow
  /** The length that holds about a granule of rows where there are any. */
  readonly granuleNs: bigint
  /** The number of all stored spans. They may be in a small part of the window. */
  readonly spanCount: number
}

/**
 * Places that hold more than this part of the granules of a window are not worth reading one by one. Each place is at
 * least a granule, and a page reads them three times.
 */
export const partMax = 1 / 8
/** How long a number of spans is known. It is read often enough that a growing store soon uses the value index. */
const spanCountMs = 60_000

/** Reports whether reading some slots of some buckets is cheaper than reading the window. */
export function isWorthwhile(buckets: number, slots: number, { window, granuleNs, spanCount }: Density): boolean {
  const granules = Math.min(Number(window.toNs - window.fromNs) / Number(granuleNs), spanCount / rowsPerGranule)
  const read = Math.max(buckets, (slots / slotsPerBucket) * (Number(bucketNs) / Number(granuleNs)))
  return buckets <= placesMax && read <= granules * partMax
}

/** What is known of the density of each organization's spans, whether or not a caller may see them. */
export class SpanDensity {
  /** The number of stored spans of an organization. */
  private readonly spanCounts: Memory<number>
  /** The length that holds about a granule of an organization's rows in one place. */
  private readonly granules: Memory<bigint>

  constructor(now: () => Date) {
    this.spanCounts = createMemory(now, spanCountMs)
    this.granules = createMemory(now)
  }

  /** Returns the density of the spans in a window. Reads what is not known, by the newest of some places. */
  async read(telemetry: ScopedTelemetry, [newest]: readonly SlotsOfBucket[], lengths: ChunkLengths): Promise<Density> {
    const { org, window } = telemetry.scope
    if (newest !== undefined && this.granules.get(org) === undefined)
      this.granules.set(org, await readGranuleNs(telemetry, newest))
    const granuleNs = this.knownGranuleNs(org, lengths) ?? bucketNs
    return { window, granuleNs, spanCount: await this.spanCount(telemetry) }
  }

  /** Returns the number of stored spans of the organization. */
  async spanCount({ clickhouse, scope: { org }, signal, isBackground }: ScopedTelemetry): Promise<number> {
    const known = this.spanCounts.get(org)
    if (known !== undefined) return known
    const options = { for: { org, isBackground }, label: 'usage', signal }
    const count = await readRowCount(clickhouse, 'spans', org, options)
    this.spanCounts.set(org, count)
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

/** Reads the number of spans in the bucket of a place, and returns the length that holds about a granule of them. */
async function readGranuleNs(telemetry: ScopedTelemetry, { fromNs }: SlotsOfBucket): Promise<bigint> {
  const query = spansWithin({ fromNs, toNs: fromNs + bucketNs })
  const [row] = await readInScope<{ span_count: string }>(telemetry, query, 'spans of a place')
  return (bucketNs * BigInt(rowsPerGranule)) / BigInt(Math.max(1, Number(row?.span_count ?? 0)))
}

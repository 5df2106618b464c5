/** Where the log records of a search can be, by the value index. */
import { type Bounds, bucketNs, type Condition, claimsOfLogs, type IndexedClaim, type SlotsOfBucket } from '#sql'
import type { Deps } from '../feature.ts'
import { type ChunkLengths, createChunkLengths } from '../telemetry/chunk-lengths.ts'
import type { ScopedTelemetry } from '../telemetry/scope.ts'
import { type ClaimPlaces, ValuePlaces } from '../telemetry/value-index/value-places.ts'

/** What a server learns of the log records, so that searches read few of them. */
export interface LearnedLogs {
  readonly chunkLengths: ChunkLengths
  readonly values: ValuePlaces
}

/** The dependencies of `createLearnedLogs`. */
interface LearnedLogsOptions extends Pick<Deps, 'now'> {
  readonly config: Pick<Deps['config'], 'retentionDays' | 'valueIndex'>
}

export type LogPlaces = ClaimPlaces<IndexedClaim>

export function createLearnedLogs({ now, config }: LearnedLogsOptions): LearnedLogs {
  const { retentionDays, valueIndex: mode } = config
  return { chunkLengths: createChunkLengths(), values: new ValuePlaces('log_records', { now, retentionDays, mode }) }
}

/** Returns where log records can be that satisfy all conditions, if reading only those places is faster. */
export function placesOfLogs(
  { chunkLengths, values }: LearnedLogs,
  telemetry: ScopedTelemetry,
  conditions: readonly Condition[],
): Promise<LogPlaces | undefined> {
  return values.find(telemetry, () => claimsOfLogs(conditions), { query: conditions, lengths: chunkLengths })
}

/** Returns the places of log records that were found at some times, given where they could be, if that was known. */
export function placesOfTimes(narrowed: LogPlaces | undefined, times: readonly bigint[]): Pick<Bounds, 'places'> {
  const known = new Map(narrowed?.places.map((place) => [place.fromNs, place]))
  const starts = new Set(times.map((ns) => ns - (ns % bucketNs)))
  const placeAt = (fromNs: bigint) => placeToRead(narrowed, known.get(fromNs) ?? { fromNs })
  return { places: { slots: [...starts].map(placeAt) } }
}

/** Records that the index does not cover may be in any slot, and in the bucket of a place. */
function placeToRead(narrowed: LogPlaces | undefined, place: SlotsOfBucket): SlotsOfBucket {
  const { readsWholeBuckets = true, allBeforeNs = 0n } = narrowed ?? {}
  return readsWholeBuckets || place.fromNs < allBeforeNs ? { fromNs: place.fromNs } : place
}

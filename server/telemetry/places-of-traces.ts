import { placesOfTraces, type TraceInBucket, type TracePlacesRow, traceHash } from '#sql'
import { placesMax } from './claim-places.ts'
import { readInScope, type ScopedTelemetry } from './scope.ts'

/** Reads the places of all spans of some traces. Returns undefined if there are too many to restrict a search. */
export async function readPlacesOfTraces(
  telemetry: ScopedTelemetry,
  traceIds: readonly string[],
): Promise<TraceInBucket[] | undefined> {
  const query = placesOfTraces(traceIds, placesMax + 1)
  const rows = await readInScope<TracePlacesRow>(telemetry, query, 'places of traces')
  if (rows.length > placesMax) return undefined
  const idsOfHash = new Map<number, string[]>()
  for (const id of traceIds) {
    const hash = traceHash(id) >>> 0
    idsOfHash.set(hash, [...(idsOfHash.get(hash) ?? []), id])
  }
  return rows.flatMap(({ bucket_seconds, hash }) =>
    (idsOfHash.get(hash) ?? []).map((id): TraceInBucket => [BigInt(bucket_seconds) * 1_000_000_000n, id]),
  )
}

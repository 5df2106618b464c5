import { placesOfTraces, type TraceInBucket, type TracePlacesRow, traceHash } from '#sql'
import { groupedBy } from '../grouped-by.ts'
import { readInScope, type ScopedTelemetry } from '../scope.ts'
import { nsOfSeconds } from '../time-units.ts'
import { placesMax } from './claim-places.ts'

/** Reads the places of all spans of some traces. Returns undefined if there are too many to restrict a search. */
export async function readPlacesOfTraces(
  telemetry: ScopedTelemetry,
  traceIds: readonly string[],
): Promise<TraceInBucket[] | undefined> {
  const query = placesOfTraces(traceIds, placesMax + 1)
  const rows = await readInScope<TracePlacesRow>(telemetry, query, 'places of traces')
  if (rows.length > placesMax) return undefined
  const idsOfHash = groupedBy(traceIds, (id) => traceHash(id) >>> 0)
  return rows.flatMap(({ bucket_seconds, hash }) =>
    (idsOfHash.get(hash) ?? []).map((id): TraceInBucket => [nsOfSeconds(bucket_seconds), id]),
  )
}

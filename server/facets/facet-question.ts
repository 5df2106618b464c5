import type { Caller } from '../auth/caller.ts'
import type { Deps } from '../feature.ts'
import { telemetryOf } from '../telemetry/scope.ts'
import type { WindowRequest } from '../telemetry/time-window.ts'
import type { FacetQuestion } from './facet-reader.ts'

/** Of a request, as much as detection needs of it. */
export interface WindowedRequest {
  readonly caller: Caller
  readonly query: WindowRequest
  readonly signal: AbortSignal
}

/** What a request asks within. @throws Problem 400 at `from` or `to` */
export type AskedOfFacets = (request: WindowedRequest) => Promise<FacetQuestion>

export function facetQuestions(deps: Pick<Deps, 'clickhouse' | 'now' | 'granted'>): AskedOfFacets {
  return (request) => telemetryOf(deps, request)
}

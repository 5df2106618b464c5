import type { Slice } from '#sql'
import type { Caller } from '../auth/caller.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { FacetReader } from '../facets/facet-reader.ts'
import type { Handlers } from '../http/handlers.ts'
import { notFound, raise } from '../problem/problem.ts'
import type { ScopedTelemetry } from '../telemetry/read-in-scope.ts'
import { type FindSlice, type GrantedSlices, scopeOf } from '../telemetry/scope.ts'
import { readWindow, type WindowRequest } from '../telemetry/time-window.ts'
import { previewRules, readPreviewedRules } from './preview.ts'
import { readFlowGraph, readStats } from './slice-reader.ts'

export interface SliceHandlerParts {
  readonly clickhouse: ClickHouse
  readonly now: () => Date
  readonly granted: GrantedSlices
  readonly findSlice: FindSlice
  readonly facetsOf: FacetReader['facetsOf']
}

interface Asked {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function sliceHandlers(
  parts: SliceHandlerParts,
): Handlers<'getIntegrationStats' | 'getIntegrationFlowGraph' | 'previewIntegration'> {
  return {
    async getIntegrationStats(request) {
      const slice = await sliceNamed(parts, request.caller, request.path.id)
      const telemetry = await telemetryFor(parts, request, request.query, '#/query')
      return { status: 200, body: await readStats(telemetry, slice) }
    },
    async getIntegrationFlowGraph(request) {
      const slice = await sliceNamed(parts, request.caller, request.path.id)
      const telemetry = await telemetryFor(parts, request, request.query, '#/query')
      return { status: 200, body: await readFlowGraph(telemetry, slice, parts.facetsOf) }
    },
    async previewIntegration(request) {
      const previewed = readPreviewedRules(request.body)
      const telemetry = await telemetryFor(parts, request, request.body, '')
      return { status: 200, body: await previewRules(telemetry, previewed) }
    },
  }
}

async function sliceNamed({ findSlice }: SliceHandlerParts, caller: Caller, id: string): Promise<Slice> {
  return ((await findSlice(caller, id)) ?? raise(notFound('integration', id))).slice
}

async function telemetryFor(
  { clickhouse, now, granted }: SliceHandlerParts,
  { caller, signal }: Asked,
  asked: WindowRequest,
  place: '' | '#/query',
): Promise<ScopedTelemetry> {
  const scope = await scopeOf(caller, readWindow(asked, now(), place), granted)
  return { clickhouse, scope, signal }
}

import type { Slice } from '#sql'
import type { Caller } from '../auth/caller.ts'
import type { FacetReader } from '../facets/facet-reader.ts'
import type { Deps } from '../feature.ts'
import type { Handlers } from '../http/contract/handlers.ts'
import { notFound, raise } from '../problem/problem.ts'
import { telemetryIn, telemetryOf } from '../telemetry/scope.ts'
import { readWindow } from '../telemetry/time-window.ts'
import { previewRules, readPreviewedRules } from './preview.ts'
import { readFlowGraph, readStats } from './slice-reader.ts'

type SliceDeps = Pick<Deps, 'clickhouse' | 'now' | 'newId' | 'granted' | 'findSlice'>

export function sliceHandlers(
  deps: SliceDeps,
  facetsOf: FacetReader['facetsOf'],
): Handlers<'getIntegrationStats' | 'getIntegrationFlowGraph' | 'previewIntegration'> {
  return {
    async getIntegrationStats(request) {
      const slice = await findSlice(deps, request.caller, request.path.id)
      const telemetry = await telemetryOf(deps, request)
      return { status: 200, body: await readStats(telemetry, slice) }
    },
    async getIntegrationFlowGraph(request) {
      const slice = await findSlice(deps, request.caller, request.path.id)
      const telemetry = await telemetryOf(deps, request)
      return { status: 200, body: await readFlowGraph(telemetry, slice, facetsOf) }
    },
    async previewIntegration(request) {
      const previewed = readPreviewedRules(request.body, deps.newId)
      const telemetry = await telemetryIn(deps, request, readWindow(request.body, deps.now(), ''))
      return { status: 200, body: await previewRules(telemetry, previewed) }
    },
  }
}

/** @throws Problem 404 */
async function findSlice(deps: SliceDeps, caller: Caller, id: string): Promise<Slice> {
  return ((await deps.findSlice(caller, id)) ?? raise(notFound('integration', id))).slice
}

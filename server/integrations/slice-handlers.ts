import type { Slice } from '#sql'
import type { Caller } from '../auth/caller.ts'
import type { Handlers } from '../http/handlers.ts'
import { notFound, raise } from '../problem/problem.ts'
import type { ScopedTelemetry } from '../telemetry/read-in-scope.ts'
import { scopeOf } from '../telemetry/scope.ts'
import { readWindow, type WindowRequest } from '../telemetry/time-window.ts'
import type { IntegrationsDeps } from './integrations.ts'
import { previewRules, readPreviewedRules } from './preview.ts'
import { readFlowGraph, readStats } from './slice-reader.ts'

type SliceDeps = Pick<IntegrationsDeps, 'clickhouse' | 'now' | 'granted' | 'findSlice' | 'facets'>

export function sliceHandlers(
  deps: SliceDeps,
): Handlers<'getIntegrationStats' | 'getIntegrationFlowGraph' | 'previewIntegration'> {
  return {
    async getIntegrationStats(request) {
      const slice = await findSlice(deps, request.caller, request.path.id)
      const telemetry = await telemetryFor(deps, request, request.query, '#/query')
      return { status: 200, body: await readStats(telemetry, slice) }
    },
    async getIntegrationFlowGraph(request) {
      const slice = await findSlice(deps, request.caller, request.path.id)
      const telemetry = await telemetryFor(deps, request, request.query, '#/query')
      return { status: 200, body: await readFlowGraph(telemetry, slice, deps.facets.facetsOf) }
    },
    async previewIntegration(request) {
      const previewed = readPreviewedRules(request.body)
      const telemetry = await telemetryFor(deps, request, request.body, '')
      return { status: 200, body: await previewRules(telemetry, previewed) }
    },
  }
}

/** @throws Problem 404 */
async function findSlice(deps: SliceDeps, caller: Caller, id: string): Promise<Slice> {
  return ((await deps.findSlice(caller, id)) ?? raise(notFound('integration', id))).slice
}

/** `pointer` locates the window in the request, for problems. */
async function telemetryFor(
  { clickhouse, now, granted }: SliceDeps,
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
  window: WindowRequest,
  pointer: '' | '#/query',
): Promise<ScopedTelemetry> {
  const scope = await scopeOf(caller, readWindow(window, now(), pointer), granted)
  return { clickhouse, scope, signal }
}

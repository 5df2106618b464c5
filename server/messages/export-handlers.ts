import { parseAttributes, spanRecords } from '#sql'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { exportedMax } from '../telemetry/record-export.ts'
import { telemetryIn } from '../telemetry/scope.ts'
import { streamMessages } from './message-export.ts'
import { readFilter } from './message-filter.ts'
import type { LearnedPlaces } from './search-strategies.ts'

/** Creates the handler that streams the messages of a filter as a file. */
export function exportHandlers(deps: Deps, learned: LearnedPlaces): Handlers<'exportMessages'> {
  return { exportMessages: (request) => exportMessages(deps, learned, request) }
}

async function exportMessages(deps: Deps, learned: LearnedPlaces, request: HandlerRequest<'exportMessages'>) {
  const { order = 'newest', limit = exportedMax, columns: sentColumns = [], ...filter } = request.body ?? {}
  const { query, window } = await readFilter(deps, request.caller, filter)
  const columns = parseAttributes(sentColumns, spanRecords, '/columns')
  const telemetry = await telemetryIn(deps, request, window)
  const { mediaType } = request
  const stream = await streamMessages({ ...learned, telemetry, query, columns, order, limit, mediaType })
  return { status: 200 as const, stream }
}

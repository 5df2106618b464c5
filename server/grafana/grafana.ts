import type { Deps } from '../feature.ts'
import { connectionHandlers } from './connection-handlers.ts'
import { type FindNewest, searchHandlers } from './search-handlers.ts'
import { tagHandlers } from './tag-handlers.ts'
import { traceHandlers } from './trace-handlers.ts'

/** The part of Tempo's HTTP API that Grafana's data source uses (docs/grafana.md). */
export function createGrafana(deps: Deps, findNewest: FindNewest) {
  return {
    handlers: {
      ...connectionHandlers(),
      ...traceHandlers(deps),
      ...tagHandlers(deps),
      ...searchHandlers(deps, findNewest),
    },
  }
}

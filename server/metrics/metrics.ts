import type { Deps } from '../feature.ts'
import { catalogueHandlers } from './catalogue-handlers.ts'
import { metricHandlers } from './metric-handlers.ts'
import { pointHandlers } from './point-handlers.ts'

/** The metric catalogue, queries over metrics and searches for their points. */
export function createMetrics(deps: Deps) {
  return { handlers: { ...catalogueHandlers(deps), ...metricHandlers(deps), ...pointHandlers(deps) } }
}

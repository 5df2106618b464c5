import type { Deps } from '../feature.ts'
import { createChunkLengths } from '../telemetry/chunk-lengths.ts'
import { logHandlers } from './log-handlers.ts'

/** Search of log records. */
export function createLogs(deps: Deps) {
  return { handlers: logHandlers({ ...deps, chunkLengths: createChunkLengths() }) }
}

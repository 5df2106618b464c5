import type { Authenticate } from '../http/request-context.ts'
import { problem } from '../problem/problem.ts'
import type { Stores } from './stores.ts'

/** Everything that needs a store needs a caller first, so this is the one door to keep shut until the tables are there. */
export function onlyWhenReady(authenticate: Authenticate, pending: Stores['pending']): Authenticate {
  return async (authorization) => {
    const waiting = [
      ...(pending.clickhouse === undefined ? [] : [`the telemetry store is ${pending.clickhouse}`]),
      ...(pending.metadata === undefined ? [] : [`the metadata store is ${pending.metadata}`]),
    ]
    if (waiting.length === 0) return authenticate(authorization)
    throw problem('unavailable', `The server is starting: ${waiting.join(' and ')}.`, { retryAfterSeconds: 1 })
  }
}

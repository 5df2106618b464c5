import type { QueryClient } from '@tanstack/react-query'
import { PartFault } from '../parts/answers/load-part.ts'
import { statusOf, TracefoldProblem } from './api.ts'

/** Queries whose last request got no response, for example because the server was restarting. */
const unanswered = new WeakSet<object>()

/** Remembers a failed query if the server did not respond to it. */
export function noteFailure(error: Error, query: object): void {
  if (isUnanswered(error)) unanswered.add(query)
}

/** Reports whether the server is unavailable: it does not respond, is starting, or a proxy in front of it says so. */
function isUnanswered(error: Error): boolean {
  // A part that is missing stays missing.
  if (error instanceof PartFault) return !error.isMissing
  if (error instanceof TracefoldProblem) return error.code === 'unavailable'
  return [undefined, 502, 503].includes(statusOf(error))
}

/**
 * Repeats all queries of the page that got no response, once one query has got one: the server is available again, and
 * one retry suffices for the whole page.
 */
export function repeatUnanswered(client: QueryClient, answered: object): void {
  if (!unanswered.delete(answered)) return
  for (const query of client.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle' })) {
    if (query.state.status === 'error' && unanswered.has(query)) void query.fetch().catch(() => {})
  }
}

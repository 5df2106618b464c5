import type { QueryClient } from '@tanstack/react-query'
import { PartFault } from '../parts/answers/load-part.ts'
import { statusOf, TracefoldProblem } from './api.ts'

/** Queries that got no answer when they were last sent, as while the server is restarted. */
const unanswered = new WeakSet<object>()

/** Remembers a query that failed if the server did not answer it. */
export function noteFailure(error: Error, query: object): void {
  if (isUnanswered(error)) unanswered.add(query)
}

/** Whether the server is away: it does not respond, it is starting, or a proxy in front of it says so. */
function isUnanswered(error: Error): boolean {
  // A part that is missing stays missing.
  if (error instanceof PartFault) return !error.isMissing
  if (error instanceof TracefoldProblem) return error.code === 'unavailable'
  return [undefined, 502, 503].includes(statusOf(error))
}

/**
 * Repeats the other queries of the page that got no answer, once one of them has got it: the server is there again, and
 * one retry is enough for all parts of a page.
 */
export function repeatUnanswered(client: QueryClient, answered: object): void {
  if (!unanswered.delete(answered)) return
  for (const query of client.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle' })) {
    if (query.state.status === 'error' && unanswered.has(query)) void query.fetch().catch(() => {})
  }
}

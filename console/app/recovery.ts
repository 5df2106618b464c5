import type { QueryClient } from '@tanstack/react-query'
import { PartFault } from '../parts/load-part.ts'
import { statusOf } from './api.ts'

/** Queries that got no answer when they were last asked, as while the server is restarted. */
const unanswered = new WeakSet<object>()

/** Remembers a query that failed if the server did not answer it. A part that is missing stays missing. */
export function noteFailure(error: Error, query: object): void {
  const isMissing = error instanceof PartFault && error.isMissing
  if (statusOf(error) === undefined && !isMissing) unanswered.add(query)
}

/**
 * Repeats the other queries of the page that got no answer, once one of them has got it: the server is there again, and
 * one retry is enough for all parts of a page.
 */
export function askUnanswered(client: QueryClient, answered: object): void {
  if (!unanswered.delete(answered)) return
  for (const query of client.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle' })) {
    if (query.state.status === 'error' && unanswered.has(query)) void query.fetch().catch(() => {})
  }
}

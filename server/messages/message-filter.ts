/** Reads the filter of a request for messages: window, rows, relations, integration and status. */
import { checkMessageFilter, describeMessages, type LastSeconds, type MessageQuery, type TimeWindow } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Caller } from '../auth/caller.ts'
import type { Deps } from '../feature.ts'
import { notFound, raise } from '../problem/problem.ts'
import { readWindow, sentWindow, type WindowRequest } from '../telemetry/time-window.ts'

interface ReadFilter {
  readonly query: MessageQuery
  readonly window: TimeWindow
  readonly summary: string
}

interface FilterOptions {
  /** The window, if something other than the filter determines it, such as a cursor. */
  readonly window?: TimeWindow | undefined
  /** The window that the summary states, if it is not that of the query. */
  readonly describedWindow?: LastSeconds | undefined
  /** The JSON pointer of the filter in the request. */
  readonly pointer?: string
}

/**
 * Reads the filter of a request.
 * @throws Problem 404 for an integration that the caller cannot see, InvalidQuery for invalid rows or relations
 */
export async function readFilter(
  { now, findSlice }: Pick<Deps, 'now' | 'findSlice'>,
  caller: Caller,
  filter: components['schemas']['MessageFilter'] & WindowRequest,
  { window: known, describedWindow, pointer = '' }: FilterOptions = {},
): Promise<ReadFilter> {
  const window = known ?? readWindow(filter, now(), pointer)
  const conditions = checkMessageFilter(filter, pointer)
  const { integration_id: id, status } = filter
  const named = id === undefined ? undefined : ((await findSlice(caller, id)) ?? raise(notFound('integration', id)))
  const unscoped = { ...conditions, ...(status === undefined ? {} : { status }) }
  const described = { ...unscoped, window: describedWindow ?? sentWindow(filter, window) }
  if (named === undefined) return { query: unscoped, window, summary: describeMessages(described) }
  const summary = describeMessages({ ...described, integrationName: named.name })
  return { query: { ...unscoped, slice: named.slice }, window, summary }
}

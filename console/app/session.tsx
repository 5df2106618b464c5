import { type Query, type QueryFunctionContext, useQuery } from '@tanstack/react-query'
import type { components } from '../../openapi/types.ts'
import { api, dataOf, requestAs, statusOf } from './api.ts'

export type Caller = components['schemas']['Caller']

export const callerKey = ['caller']

/** Selects every query but the one for the caller: their results depend on who is signed in. */
export const answers = { predicate: ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey[0] !== callerKey[0] }

/** Reads who is signed in. */
export function useCaller() {
  return useQuery({
    queryKey: callerKey,
    queryFn: readCaller,
    staleTime: 60_000,
    retry: false,
    // Tabs share the cookie, so another person may have signed in, or this one signed out, in another tab.
    refetchOnWindowFocus: 'always',
  })
}

/**
 * Reads who is signed in. Discards what was read for another person, and repeats the queries that failed because the
 * session had ended.
 */
async function readCaller({ client, signal }: QueryFunctionContext): Promise<Caller> {
  const before = client.getQueryState<Caller>(callerKey)
  const caller = await dataOf(api.GET('/api/v1/me', { signal }))
  requestAs(caller)
  if (before?.data !== undefined && !seesSame(before.data, caller)) client.removeQueries(answers)
  else if (isSignedOut(before?.error)) void client.invalidateQueries(answers)
  return caller
}

export function isSamePerson(left: Caller, right: Caller): boolean {
  return left.org === right.org && left.subject === right.subject
}

/**
 * Reports whether two callers are one person who sees the same data. Only the role restricted hides what is not
 * granted.
 */
export function seesSame(left: Caller, right: Caller): boolean {
  return isSamePerson(left, right) && (left.role === 'restricted') === (right.role === 'restricted')
}

export function isSignedOut(error: unknown): boolean {
  return statusOf(error) === 401
}

/** Whether the caller sees only what is granted. False until the server has said who calls. */
export function useIsRestricted(): boolean {
  return useCaller().data?.role === 'restricted'
}

/** Whether the caller may change records. The server decides; without the role the console does not offer it. */
export function useMayWrite(): boolean {
  const role = useCaller().data?.role
  return role === 'contributor' || role === 'admin'
}

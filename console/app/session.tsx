import { useQuery } from '@tanstack/react-query'
import { api, dataOf, statusOf } from './api.ts'

export const callerKey = ['caller']

/** Asks who is signed in. */
export function useCaller() {
  return useQuery({
    queryKey: callerKey,
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/me', { signal })),
    staleTime: 60_000,
    retry: false,
  })
}

export function isSignedOut(error: unknown): boolean {
  return statusOf(error) === 401
}

/** Whether the caller may change records. The server decides; without the role the console does not offer it. */
export function useMayWrite(): boolean {
  const role = useCaller().data?.role
  return role === 'contributor' || role === 'admin'
}

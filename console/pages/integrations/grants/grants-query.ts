import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../../app/api.ts'

export function grantsKey(id: string): readonly unknown[] {
  return ['integration grants', id]
}

/** Reads who is granted an integration. */
export function useGrants(id: string) {
  return useQuery({ queryKey: grantsKey(id), queryFn: ({ signal }) => readGrants(id, signal) })
}

/** Reads the current grants, which another person may have changed. */
export function useNewestGrants(id: string) {
  return useQuery({
    queryKey: [...grantsKey(id), 'newest'],
    queryFn: ({ signal }) => readGrants(id, signal),
    gcTime: 0,
  })
}

function readGrants(id: string, signal: AbortSignal) {
  return dataOf(api.GET('/api/v1/integrations/{id}/grants', { params: { path: { id } }, signal }))
}

import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Shows a record as it was stored just now. A read that is under way would show it as it was before. */
export function showStored(client: QueryClient, queryKey: QueryKey, stored: object): void {
  void client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, stored)
}

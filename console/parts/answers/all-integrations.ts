import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { allItems } from './all-items.ts'

/** All integrations of the organization that the caller may see, newest first. There are at most 1,000. */
export const allIntegrations = queryOptions({
  queryKey: ['integrations', 'all'],
  queryFn: ({ signal }) => allItems((page) => api.GET('/api/v1/integrations', { params: { query: page }, signal })),
})

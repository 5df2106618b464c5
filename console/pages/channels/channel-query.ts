import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf, deletionOf, versionOf } from '../../app/api.ts'
import { allItems } from '../../parts/answers/all-items.ts'
import { readIfOther } from '../../parts/records/deleted.tsx'
import { useSingleMutation } from '../../parts/records/single-mutation.ts'
import { changeOf, hasAll, showStored } from '../../parts/records/stored.ts'

export type Channel = components['schemas']['Channel']
export type ChannelCreated = components['schemas']['ChannelCreated']
export type ChannelCreate = components['schemas']['ChannelCreate']
export type ChannelUpdate = components['schemas']['ChannelUpdate']
export type Delivery = components['schemas']['Delivery']

const deliveriesPerPage = 20
/** Milliseconds after which deliveries are read again while one of them is due. */
const dueMs = 2_000
const quietMs = 15_000

/** Lists all channels of the organization, newest first. */
export const allChannels = queryOptions({
  queryKey: ['channels'],
  queryFn: ({ signal }) =>
    allItems((page) => api.GET('/api/v1/alerting/channels', { params: { query: page }, signal })),
})

export function useChannels() {
  return useQuery(allChannels)
}

export function useChannel(id: string) {
  return useQuery({
    queryKey: ['channel', id],
    queryFn: ({ signal }) => readChannel(id, signal),
  })
}

export function readChannel(id: string, signal: AbortSignal): Promise<Channel> {
  return dataOf(api.GET('/api/v1/alerting/channels/{id}', { params: { path: { id } }, signal }))
}

/** Returns the changes of channels. Each names the version that a person has seen. */
export function useChannelChanges() {
  const client = useQueryClient()
  const onSuccess = async (channel: Channel | undefined) => {
    if (channel !== undefined) showStored(client, ['channel', channel.id], channel)
    await client.invalidateQueries({ queryKey: ['channels'] })
  }
  const create = useSingleMutation({
    mutationFn: (body: ChannelCreate) => dataOf(api.POST('/api/v1/alerting/channels', { body })),
    onSuccess: () => onSuccess(undefined),
  })
  const update = useSingleMutation({
    mutationFn: ({ channel, body }: { readonly channel: Channel; readonly body: ChannelUpdate }) =>
      changeOf(
        api.PUT('/api/v1/alerting/channels/{id}', { params: versionOf(channel), body }),
        () => api.GET('/api/v1/alerting/channels/{id}', { params: { path: { id: channel.id } } }),
        // Credentials are never read, so it is unknown whether a stored channel has the ones that were sent.
        (stored) => !changesCredentials(body) && hasAll(stored, body),
      ),
    onSuccess,
    onError: (error, { channel }) => readIfOther(client, error, ['channel', channel.id]),
  })
  const remove = useMutation({
    mutationFn: (channel: Channel) =>
      deletionOf(api.DELETE('/api/v1/alerting/channels/{id}', { params: versionOf(channel) })),
    onSuccess: () => onSuccess(undefined),
    onError: (error, { id }) => readIfOther(client, error, ['channel', id]),
  })
  return { create, update, remove }
}

function changesCredentials({ config = {} }: ChannelUpdate): boolean {
  return 'auth_header' in config || 'signing_secret' in config
}

/** Reads the deliveries of a channel, newest first, and polls those that are due. */
export function useDeliveries(id: string) {
  return useInfiniteQuery({
    queryKey: ['deliveries', id],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: deliveriesPerPage, ...(pageParam === null ? {} : { cursor: pageParam }) }
      const params = { path: { id }, query }
      return dataOf(api.GET('/api/v1/alerting/channels/{id}/deliveries', { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items: listed }) => listed.some(({ state }) => state === 'pending')) ? dueMs : quietMs,
  })
}

export function useTestSend(id: string) {
  const client = useQueryClient()
  return useSingleMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/alerting/channels/{id}/test', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries', id] }),
  })
}

export function useRetry({ id, channel_id }: Pick<Delivery, 'id' | 'channel_id'>) {
  const client = useQueryClient()
  const params = { path: { id: channel_id, delivery_id: id } }
  return useSingleMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/alerting/channels/{id}/deliveries/{delivery_id}/retry', { params })),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['deliveries', channel_id] }),
        client.invalidateQueries({ queryKey: ['alert deliveries'] }),
      ]),
  })
}

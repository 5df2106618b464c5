import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf, deletionOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { faultOf, ShowMore } from '../../parts/answers/show-more.tsx'
import { currentTime } from '../../parts/time/clock.ts'
import { formatTime } from '../../parts/time/time.ts'
import { NewKey } from './new-key.tsx'

type ApiKey = components['schemas']['ApiKey']

const keysOfQuery = ['api keys'] as const

/** Lists the API keys. A key is shown only once, when it is created. */
export function ApiKeys() {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: keysOfQuery })
  const pages = useInfiniteQuery({
    queryKey: keysOfQuery,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { cursor: pageParam }
      return dataOf(api.GET('/api/v1/api-keys', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const revoke = useMutation({
    mutationFn: (id: string) => deletionOf(api.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } })),
    onSettled: refresh,
  })
  const fault = faultOf(pages)
  const keys = pages.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <NewKey onMade={refresh} />
      {revoke.error !== null && <Fault error={revoke.error} />}
      {fault !== null && <Fault error={fault} retry={() => void pages.refetch()} />}
      {pages.isPending && <WaitingList words="Loading API keys" />}
      {pages.isSuccess && keys.length === 0 && (
        <p className="notice">There is no API key yet. Programs send telemetry with a key of the role ingest.</p>
      )}
      {keys.length > 0 && <KeyTable keys={keys} onRevoke={(id) => revoke.mutate(id)} />}
      <ShowMore list={pages} />
    </>
  )
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  readonly onRevoke: (id: string) => void
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  return (
    <div className="messages-box">
      <table className="messages settings-table keys-table">
        <caption className="visually-hidden">API keys</caption>
        <thead>
          <tr>
            {['Name', 'Role', 'Key', 'Last used', 'Expires', 'Created'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyLine key={key.id} apiKey={key} onRevoke={() => onRevoke(key.id)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function KeyLine({ apiKey, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }) {
  const { isUtc } = usePreferences()
  const [isAsking, setAsking] = useState(false)
  const { name, role, prefix, last4, last_used_at, expires_at, created_at, created_by } = apiKey
  const hasExpired = expires_at !== null && Date.parse(expires_at) <= currentTime().getTime()
  return (
    <tr>
      <td className="settings-name" title={name}>
        {name}
      </td>
      <td>{role}</td>
      <td className="mono">
        {prefix}…{last4}
      </td>
      <td data-label="Last used">
        {last_used_at === null ? <span className="soft">never</span> : formatTime(last_used_at, isUtc)}
      </td>
      <td className={hasExpired ? 'failed-text' : ''} data-label="Expires">
        {expires_at === null ? <span className="soft">never</span> : formatTime(expires_at, isUtc)}
        {hasExpired && ' (expired)'}
      </td>
      <td data-label="Created">
        {formatTime(created_at, isUtc)} <span className="soft">by {created_by}</span>
      </td>
      <td className="settings-actions">
        {isAsking ? (
          <>
            <Button
              className="button danger"
              aria-label={`Revoke the key ${name}`}
              onPress={() => {
                setAsking(false)
                onRevoke()
              }}
            >
              Revoke the key
            </Button>
            <Button className="button" onPress={() => setAsking(false)}>
              Keep it
            </Button>
          </>
        ) : (
          <Button className="button bare" aria-label={`Revoke ${name}`} onPress={() => setAsking(true)}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  )
}

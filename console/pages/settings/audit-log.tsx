import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { api, dataOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { faultOf, ShowMore } from '../../parts/answers/show-more.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { RemoveIcon } from '../../parts/icons.tsx'
import { currentTime } from '../../parts/time/clock.ts'
import { describeWindow, windowAt, zoneName } from '../../parts/time/time.ts'
import { without } from '../../parts/without.ts'
import { AuditEntryLine } from './audit-entry.tsx'
import { type AuditAction, type AuditedKind, actionWords, kindWords, type SettingsSearch } from './settings-search.ts'

const times = [
  ['any', 'at any time'],
  ['1h', 'in the last hour'],
  ['24h', 'in the last 24 hours'],
  ['7d', 'in the last 7 days'],
  ['30d', 'in the last 30 days'],
] as const

interface AuditLogProps {
  readonly search: SettingsSearch
  readonly onChange: (search: SettingsSearch) => void
}

/** Lists who changed which record, when, and how. */
export function AuditLog({ search, onChange }: AuditLogProps) {
  const { isUtc } = usePreferences()
  const [at, setAt] = useState(() => currentTime())
  const pages = useAuditEntries(search, at)
  const fault = faultOf(pages)
  const entries = pages.data?.pages.flatMap(({ items }) => items) ?? []
  const { actor, record, request, last = 'any' } = search
  // An address may name any time.
  const otherTime = `in the ${describeWindow({ last }, isUtc).toLowerCase()}`
  const leaveOut = (name: keyof SettingsSearch) => onChange(without(search, name))
  return (
    <>
      <section className="card filter filter-actions" aria-label="Filters">
        <Chooser
          label="Kind of record"
          none="any record"
          words={kindWords}
          search={search}
          name="kind"
          {...{ onChange }}
        />
        <Chooser label="Action" none="any action" words={actionWords} search={search} name="action" {...{ onChange }} />
        <Choice
          label="Time of the change"
          value={last}
          options={times.some(([each]) => each === last) ? times : [[last, otherTime], ...times]}
          onChange={(next) => {
            setAt(currentTime())
            if (next === 'any') leaveOut('last')
            else onChange({ ...search, last: next })
          }}
        />
        {actor !== undefined && <Chosen words={`by ${actor}`} onRemove={() => leaveOut('actor')} />}
        {record !== undefined && <Chosen words={`record ${record}`} onRemove={() => leaveOut('record')} />}
        {request !== undefined && <Chosen words={`request ${request}`} onRemove={() => leaveOut('request')} />}
        <span className="soft">Times are shown in {zoneName(isUtc)}.</span>
      </section>
      {fault !== null && <Fault error={fault} retry={() => void pages.refetch()} />}
      {pages.isPending && <WaitingList words="Loading the audit log" />}
      {pages.isSuccess && entries.length === 0 && <p className="notice">No change matches.</p>}
      {entries.length > 0 && (
        <ol className="card audit-list" aria-label="Changes">
          {entries.map((entry) => (
            <AuditEntryLine key={entry.id} entry={entry} onFilter={(filter) => onChange({ ...search, ...filter })} />
          ))}
        </ol>
      )}
      <ShowMore list={pages} />
    </>
  )
}

function useAuditEntries({ last, kind, action, actor, record, request }: SettingsSearch, at: Date) {
  const query = {
    ...(last !== undefined && { from: windowAt({ last }, at).from }),
    ...(kind !== undefined && { record_kind: kind }),
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor }),
    ...(record !== undefined && { record_id: record }),
    ...(request !== undefined && { request_id: request }),
  }
  return useInfiniteQuery({
    queryKey: ['audit log', query],
    queryFn: ({ pageParam, signal }) => {
      const params = { query: { ...query, ...(pageParam === null ? {} : { cursor: pageParam }) } }
      return dataOf(api.GET('/api/v1/audit-log', { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

interface ChooserProps<Value extends string> extends AuditLogProps {
  readonly label: string
  /** The label of no choice. */
  readonly none: string
  readonly words: Readonly<Record<Value, string>>
  readonly name: 'kind' | 'action'
}

function Chooser<Value extends AuditedKind | AuditAction>(props: ChooserProps<Value>) {
  const { label, none, words, name, search, onChange } = props
  const options = Object.entries(words) as [Value, string][]
  return (
    <Choice
      label={label}
      value={search[name] ?? 'any'}
      options={[['any', none], ...options]}
      onChange={(value) => {
        const { [name]: _, ...rest } = search
        onChange(value === 'any' ? rest : { ...rest, [name]: value })
      }}
    />
  )
}

function Chosen({ words, onRemove }: { readonly words: string; readonly onRemove: () => void }) {
  return (
    <Button className="button chosen-filter" aria-label={`Remove the filter ${words}`} onPress={onRemove}>
      {words} <RemoveIcon />
    </Button>
  )
}

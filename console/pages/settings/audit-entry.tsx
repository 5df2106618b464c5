import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { formatTime } from '../../parts/time/time.ts'
import { actionWords, kindWords, type SettingsSearch } from './settings-search.ts'

type Entry = components['schemas']['AuditEntry']

interface AuditEntryLineProps {
  readonly entry: Entry
  readonly onFilter: (filter: SettingsSearch) => void
}

/** Shows one change: who did what to which record. It expands to the states before and after. */
export function AuditEntryLine({ entry, onFilter }: AuditEntryLineProps) {
  const { isUtc } = usePreferences()
  const [isOpen, setOpen] = useState(false)
  const { at, actor, action, record } = entry
  const by = actor.key_name ?? actor.subject
  return (
    <li className="audit-entry">
      <details className="opening" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="mono log-time">{formatTime(at, isUtc)}</span>
          <span className="audit-actor" title={by}>
            {by}
          </span>
          <span className={`audit-action ${action}`}>{actionWords[action]}</span>
          <span className="audit-record" title={record.name}>
            <span>{kindWords[record.kind]}</span> <strong>{record.name}</strong>
          </span>
        </summary>
        {isOpen && <AuditEntryDetail entry={entry} onFilter={onFilter} />}
      </details>
    </li>
  )
}

function AuditEntryDetail({ entry, onFilter }: AuditEntryLineProps) {
  const { actor, action, record, operation, request_id, changed, before, after, truncated } = entry
  return (
    <div className="log-detail">
      <p className="soft">{[actorWords(actor), operation && `operation ${operation}`].filter(Boolean).join(' · ')}</p>
      {action === 'updated' && <Changed changed={changed} before={before} after={after} />}
      {action === 'created' && after !== undefined && <RecordText record={after} />}
      {action === 'deleted' && before !== undefined && <RecordText record={before} />}
      {truncated && <p className="soft">The record is larger than an entry, so parts of it are left out.</p>}
      <p className="filter-actions">
        <Button className="button" onPress={() => onFilter({ actor: actor.subject })}>
          All by {actor.key_name ?? actor.subject}
        </Button>
        <Button className="button" onPress={() => onFilter({ kind: record.kind, record: record.id })}>
          All of this record
        </Button>
        {request_id !== undefined && (
          <Button className="button" onPress={() => onFilter({ request: request_id })}>
            All of this request
          </Button>
        )}
      </p>
    </div>
  )
}

function RecordText({ record }: { readonly record: unknown }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
  return <pre tabIndex={0}>{JSON.stringify(record, null, 2)}</pre>
}

function actorWords({ kind, subject, role }: Entry['actor']): string {
  if (kind === 'server') return 'by the server itself'
  return `by ${kind === 'api_key' ? 'the API key ' : ''}${subject}${role === undefined ? '' : ` with the role ${role}`}`
}

interface ChangedProps {
  /** JSON pointers. */
  readonly changed: readonly string[]
  readonly before: unknown
  readonly after: unknown
}

/** Shows the fields that an update changed, before and after. Masked values may look alike. */
function Changed({ changed, before, after }: ChangedProps) {
  return (
    <table className="attributes">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changed.map((pointer) => (
          <tr key={pointer}>
            <th scope="row" className="mono">
              {pointer}
            </th>
            <td className="mono">{shownAt(before, pointer)}</td>
            <td className="mono">{shownAt(after, pointer)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns the value at a JSON pointer as text. */
function shownAt(state: unknown, pointer: string): string {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const value = names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    state,
  )
  if (value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

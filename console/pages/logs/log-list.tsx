import { Link } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { valueCharactersMax } from '../../../sql/limits.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { messageSearchAt } from '../../app/search.ts'
import { useShown } from '../../parts/answers/shown.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { useKeptOpen } from '../../parts/kept-open.ts'
import { KeyName } from '../../parts/key-name.tsx'
import { beginningOf, LongText } from '../../parts/long-text.tsx'
import { ServiceLabel } from '../../parts/service-label.tsx'
import { errorSeverity, SeverityMark } from '../../parts/severity-mark.tsx'
import { formatExactTime, formatTime, type WindowSearch, zoneName } from '../../parts/time/time.ts'
import { textOf, textOfLog, visibleText } from '../../parts/value-text.ts'
import type { LogCondition, LogRecord } from './logs-search.ts'

/** Characters of a body that are shown at first: enough for a stack trace. Longer texts are slow to render. */
const readMax = 20_000

interface LogListProps {
  readonly records: readonly LogRecord[]
  readonly isStale: boolean
  readonly onFilter: (condition: LogCondition) => void
}

/** Lists log records, newest first, in one line each. A record expands to everything that was sent with it. */
export function LogList({ records, isStale, onFilter }: LogListProps) {
  return (
    <ol className="card log-list" aria-label="Log records" aria-busy={isStale}>
      {records.map((record) => (
        <LogLine key={record.id} record={record} onFilter={onFilter} />
      ))}
    </ol>
  )
}

interface LogLineProps {
  readonly record: LogRecord
  readonly onFilter: (condition: LogCondition) => void
}

function LogLine({ record, onFilter }: LogLineProps) {
  const { isUtc } = usePreferences()
  const [isOpen, setOpen] = useKeptOpen(record.id)
  const { time, service } = record
  const isError = record.severity_number >= errorSeverity
  return (
    <li className={isError ? 'log-record failing' : 'log-record'}>
      <details className="opening" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="mono log-time">{formatTime(time, isUtc, 3)}</span>
          <SeverityMark {...record} />
          <ServiceLabel name={service} title={service} />
          <span className="mono log-text">{beginningOf(textOfLog(record))}</span>
        </summary>
        {isOpen && <LogDetail record={record} onFilter={onFilter} />}
      </details>
    </li>
  )
}

/** Shows everything about one record: its body, a link to its message, and its attributes. */
function LogDetail({ record, onFilter }: LogLineProps) {
  const { trace_id, span_id, scope, attributes, resource_attributes, body } = record
  const { event_name, event_time, observed_time, dropped_attributes_count } = record
  const { isUtc } = usePreferences()
  const sourceTime = event_time ?? observed_time
  const timeWords =
    sourceTime !== null &&
    `${event_time === null ? 'observed' : 'sent'} ${formatExactTime(sourceTime, isUtc)} ${zoneName(isUtc)}`
  const text = textOf(body.value)
  return (
    <div className="log-detail">
      {body.type === 'unset' ? (
        <p className="soft">The record has no body.</p>
      ) : (
        <div className="copied-text">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <pre tabIndex={0}>
            <LongText text={text} max={readMax} />
          </pre>
          <CopyButton text={text} label="Copy the body" />
        </div>
      )}
      <p>
        {trace_id === null ? (
          <span className="soft">The record belongs to no message: it was sent without a trace id.</span>
        ) : (
          <Link
            to="/messages/$id"
            params={{ id: trace_id }}
            search={(current: WindowSearch) => messageSearchAt(span_id, current)}
          >
            Open its message{span_id === null ? '' : ' at its step'}
          </Link>
        )}
      </p>
      <AttributeTable title="Attributes" source="log" attributes={attributes} onFilter={onFilter} />
      {dropped_attributes_count > 0 && (
        <p className="soft">Dropped attributes: {dropped_attributes_count.toLocaleString('en')}</p>
      )}
      <AttributeTable title="Resource" source="resource" attributes={resource_attributes} onFilter={onFilter} />
      <p className="soft log-origin">
        {[timeWords, event_name && `event ${event_name}`, scope.name && `by ${scope.name} ${scope.version}`.trimEnd()]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  )
}

interface AttributeTableProps {
  readonly title: string
  readonly source: 'log' | 'resource'
  readonly attributes: LogRecord['attributes']
  readonly onFilter: (condition: LogCondition) => void
}

function AttributeTable({ title, source, attributes, onFilter }: AttributeTableProps) {
  const { shown, more } = useShown(attributes)
  if (attributes.length === 0) return null
  return (
    <>
      <table className="attributes">
        <caption>{title}</caption>
        <tbody>
          {shown.map((attribute) => (
            <AttributeLine key={attribute.key} {...{ attribute, source, onFilter }} />
          ))}
        </tbody>
      </table>
      {more}
    </>
  )
}

interface AttributeLineProps extends Pick<AttributeTableProps, 'source' | 'onFilter'> {
  readonly attribute: LogRecord['attributes'][number]
}

function AttributeLine({ attribute: { key, value }, source, onFilter }: AttributeLineProps) {
  const text = textOf(value)
  const shown = visibleText(text)
  const condition = { attribute_source: source, attribute_key: key, value: text }
  return (
    <tr>
      <th scope="row">
        <KeyName name={key} />
      </th>
      <td className="mono">
        <LongText text={shown} max={readMax} />
      </td>
      <td className="log-actions">
        {(typeof value !== 'object' || value === null) && text.length <= valueCharactersMax && (
          <>
            <Button
              className="button bare exclude"
              aria-label={`Only with ${key} ${shown}`}
              onPress={() => onFilter({ ...condition, operator: 'eq' })}
            >
              only
            </Button>
            <Button
              className="button bare exclude"
              aria-label={`Without ${key} ${shown}`}
              onPress={() => onFilter({ ...condition, operator: 'neq' })}
            >
              without
            </Button>
          </>
        )}
      </td>
    </tr>
  )
}

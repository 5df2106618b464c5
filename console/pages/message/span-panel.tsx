import { Link } from '@tanstack/react-router'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { usePreferences } from '../../app/preferences.tsx'
import type { MessageSearch } from '../../app/search.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatNs } from '../../parts/duration.ts'
import { Fault } from '../../parts/fault.tsx'
import { DownIcon } from '../../parts/icons.tsx'
import type { MessageRow } from '../../parts/operators.ts'
import { serviceColour } from '../../parts/service-colour.ts'
import { formatTime } from '../../parts/time.ts'
import { textOf } from '../../parts/value-text.ts'
import { useSpan } from './message-data.ts'
import { StepLogs } from './message-logs.tsx'

type Attribute = components['schemas']['Attribute']
type Source = 'span' | 'resource'

interface SpanPanelProps {
  readonly traceId: string
  readonly spanId: string
  readonly search: MessageSearch
  readonly onFilter: (row: MessageRow) => void
}

/** Everything about one step, the attributes that describe it best first. */
export function SpanPanel({ traceId, spanId, search, onFilter }: SpanPanelProps) {
  const { isUtc } = usePreferences()
  const { data: span, error, refetch } = useSpan(traceId, spanId)
  if (error !== null) return <Fault error={error} retry={() => void refetch()} />
  if (span === undefined) return <div className="skeleton span-waiting" role="status" aria-label="Loading the step" />
  const keys = new Set(span.key_attributes.map(({ key }) => key))
  const rest = span.attributes.filter(({ key }) => !keys.has(key))
  return (
    <aside className="span-panel" aria-label={`Step ${span.name}`}>
      <header>
        <span className="soft">
          <span className="service-dot" style={{ background: serviceColour(span.service) }} />
          {span.service} · {span.kind}
        </span>
        <h2>{span.name}</h2>
        <p className={span.status === 'error' ? 'failed-text' : 'soft'}>
          {span.status === 'error'
            ? `Failed${span.status_message ? `: ${span.status_message}` : ''}`
            : `Status ${span.status}`}
        </p>
      </header>
      <dl className="span-facts">
        <dt>Started</dt>
        <dd className="mono">{formatTime(span.started_at, isUtc, 9)}</dd>
        <dt>Duration</dt>
        <dd>
          {formatNs(Number(span.duration_ns))} <span className="soft mono">({span.duration_ns} ns)</span>
        </dd>
        <dt>Span id</dt>
        <dd className="mono">{span.span_id}</dd>
      </dl>
      <AttributeTable title="Key attributes" items={span.key_attributes} source="span" onFilter={onFilter} />
      <AttributeTable title="Attributes" items={rest} source="span" onFilter={onFilter} />
      <Events events={span.events} isUtc={isUtc} />
      <StepLogs traceId={traceId} spanId={spanId} />
      <Links title="Links to" links={span.links} search={search} />
      <Links
        title={`Linked from (${span.linked_from.span_count.toLocaleString('en')})`}
        links={span.linked_from.spans}
        search={search}
      />
      <AttributeTable title="Resource" items={span.resource_attributes} source="resource" onFilter={onFilter} />
    </aside>
  )
}

interface AttributeTableProps {
  readonly title: string
  readonly items: readonly Attribute[]
  readonly source: Source
  readonly onFilter: (row: MessageRow) => void
}

function AttributeTable({ title, items, source, onFilter }: AttributeTableProps) {
  if (items.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <table className="attributes">
        <tbody>
          {items.map((attribute) => (
            <tr key={attribute.key}>
              <th scope="row">{attribute.key}</th>
              <td className="mono">{textOf(attribute.value)}</td>
              <td>
                <AttributeActions attribute={attribute} source={source} onFilter={onFilter} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface AttributeActionsProps {
  readonly attribute: Attribute
  readonly source: Source
  readonly onFilter: (row: MessageRow) => void
}

function AttributeActions({ attribute: { key, value }, source, onFilter }: AttributeActionsProps) {
  const row = { attribute_key: key, ...(source === 'span' ? {} : { attribute_source: source }), value: textOf(value) }
  return (
    <span className="attribute-actions">
      <CopyButton text={textOf(value)} label={`Copy the value of ${key}`} />
      <MenuTrigger>
        <Button className="button bare icon" aria-label={`Search with ${key}`}>
          <DownIcon />
        </Button>
        <Popover className="popover">
          <Menu className="options">
            <MenuItem className="option" onAction={() => onFilter({ ...row, operator: 'eq' } as MessageRow)}>
              Messages with this value
            </MenuItem>
            <MenuItem className="option" onAction={() => onFilter({ ...row, operator: 'neq' } as MessageRow)}>
              Messages never with this value
            </MenuItem>
            <MenuItem
              className="option"
              onAction={() => onFilter({ attribute_key: key, operator: 'exists' } as MessageRow)}
            >
              Messages with this attribute
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
    </span>
  )
}

interface EventsProps {
  readonly events: components['schemas']['SpanEvent'][]
  readonly isUtc: boolean
}

function Events({ events, isUtc }: EventsProps) {
  if (events.length === 0) return null
  return (
    <section>
      <h3>Events</h3>
      {events.map(({ time, name, attributes }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no ids, and two may be equal
        <details key={position} className="event" open={name === 'exception'}>
          <summary>
            <span className="mono">{formatTime(time, isUtc, 6).slice(11)}</span> {name}
          </summary>
          <table className="attributes">
            <tbody>
              {attributes.map(({ key, value }) => (
                <tr key={key}>
                  <th scope="row">{key}</th>
                  <td className="mono">{textOf(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      ))}
    </section>
  )
}

interface LinksProps {
  readonly title: string
  readonly links: readonly { readonly trace_id: string; readonly span_id: string; readonly name?: string }[]
  readonly search: MessageSearch
}

function Links({ title, links, search }: LinksProps) {
  if (links.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {links.map(({ trace_id, span_id, name }) => (
          <li key={trace_id + span_id}>
            <Link to="/messages/$id" params={{ id: trace_id }} search={{ ...search, span: span_id }}>
              {name ?? span_id}
            </Link>{' '}
            <span className="soft mono">{trace_id}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

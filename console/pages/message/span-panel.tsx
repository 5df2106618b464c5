import { Link } from '@tanstack/react-router'
import type { components } from '../../../openapi/types.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { type MessageSearch, windowSearchOf } from '../../app/search.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { shownMax, useShown } from '../../parts/answers/shown.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { serviceColour } from '../../parts/service-colour.ts'
import { SpanName } from '../../parts/span-name.tsx'
import { currentTime } from '../../parts/time/clock.ts'
import { formatNs } from '../../parts/time/duration.ts'
import { formatExactTime, windowWith } from '../../parts/time/time.ts'
import { visibleText } from '../../parts/value-text.ts'
import { without } from '../../parts/without.ts'
import { hasPage } from '../services/services-search.ts'
import { AttributeTable, type AttributeUse, PlainAttributeTable } from './attribute-table.tsx'
import { useSpan } from './message-data.ts'
import { StepLogs } from './message-logs.tsx'

interface SpanPanelProps {
  readonly traceId: string
  readonly spanId: string
  readonly search: MessageSearch
  readonly use: AttributeUse
}

/** Shows everything about one step, the most descriptive attributes first. */
export function SpanPanel({ traceId, spanId, search, use }: SpanPanelProps) {
  const { isUtc } = usePreferences()
  const { data: span, error, refetch } = useSpan(traceId, spanId)
  if (error !== null) return <Fault error={error} retry={() => void refetch()} />
  if (span === undefined) return <Waiting className="span-waiting" words="Loading the step" />
  const keys = new Set(span.key_attributes.map(({ key }) => key))
  const rest = span.attributes.filter(({ key }) => !keys.has(key))
  return (
    <aside className="span-panel" aria-label={`Step ${span.name || 'without a name'}`}>
      <StepHeader span={span} search={search} />
      <dl className="span-facts">
        <dt>Started</dt>
        <dd className="mono">{formatExactTime(span.started_at, isUtc)}</dd>
        <dt>Duration</dt>
        <dd>
          {formatNs(Number(span.duration_ns))}{' '}
          <span className="soft mono">({BigInt(span.duration_ns).toLocaleString('en')} ns)</span>
        </dd>
        <dt>Span id</dt>
        <dd className="mono span-id">
          {span.span_id}
          <CopyButton text={span.span_id} label="Copy the span id" />
        </dd>
      </dl>
      <AttributeTable title="Key attributes" items={span.key_attributes} source="span" {...use} />
      <AttributeTable title="Attributes" items={rest} source="span" {...use} />
      <Dropped count={span.dropped_attributes_count} what="attributes" />
      <Events events={span.events} isUtc={isUtc} />
      <Dropped count={span.dropped_events_count} what="events" />
      <StepLogs traceId={traceId} spanId={spanId} />
      <Links title="Links to" links={span.links} search={search} />
      <Dropped count={span.dropped_links_count} what="links" />
      <Links
        title={`Linked from (${span.linked_from.span_count.toLocaleString('en')})`}
        links={span.linked_from.spans}
        search={search}
      />
      <AttributeTable title="Resource" items={span.resource_attributes} source="resource" {...use} />
    </aside>
  )
}

interface StepHeaderProps {
  readonly span: components['schemas']['SpanDetail']
  readonly search: MessageSearch
}

/** Shows the service, kind, name and status of a step. */
function StepHeader({ span, search }: StepHeaderProps) {
  return (
    <header>
      <span className="soft">
        <span className="service-dot" style={{ background: serviceColour(span.service) }} />
        {hasPage(span.service) ? (
          <Link
            to="/services/$name"
            params={{ name: span.service }}
            search={windowWith(span.started_at, windowSearchOf(search), currentTime())}
          >
            {visibleText(span.service)}
          </Link>
        ) : (
          visibleText(span.service)
        )}{' '}
        · {span.kind}
      </span>
      <h2>{span.name === '' ? <SpanName name="" /> : <LongText text={visibleText(span.name)} />}</h2>
      <p className={span.status === 'error' ? 'failed-text' : 'soft'}>
        {span.status === 'error' ? (
          <LongText text={`Failed${span.status_message ? `: ${span.status_message}` : ''}`} />
        ) : (
          `Status ${span.status}`
        )}
      </p>
    </header>
  )
}

/** Shows how many attributes, events or links of a step the sender has dropped. */
function Dropped({ count, what }: { readonly count: number; readonly what: string }) {
  if (count === 0) return null
  return (
    <p className="soft">
      Dropped {what}: {count.toLocaleString('en')}
    </p>
  )
}

interface EventsProps {
  readonly events: components['schemas']['SpanEvent'][]
  readonly isUtc: boolean
}

function Events({ events, isUtc }: EventsProps) {
  const { shown, more } = useShown(events)
  if (events.length === 0) return null
  return (
    <section>
      <h3>Events{events.length > shownMax && ` (${events.length.toLocaleString('en')})`}</h3>
      {shown.map(({ time, name, attributes }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no ids, and two may be equal
        <details key={position} className="event" open={name === 'exception'}>
          <summary>
            <span className="mono">{formatExactTime(time, isUtc).slice(11)}</span> {name}
          </summary>
          <PlainAttributeTable attributes={attributes} />
        </details>
      ))}
      {more}
    </section>
  )
}

interface StepLink {
  readonly trace_id: string | null
  readonly span_id: string | null
  readonly name?: string
  readonly attributes?: components['schemas']['Attribute'][]
}

interface LinksProps {
  readonly title: string
  readonly links: readonly StepLink[]
  readonly search: MessageSearch
}

function Links({ title, links, search }: LinksProps) {
  const { shown, more } = useShown(links)
  if (links.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {shown.map((link, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step may have the same link twice
          <li key={position} className="step-link">
            <Linked link={link} search={search} />
          </li>
        ))}
      </ul>
      {more}
    </section>
  )
}

/** Links to the target of a span link. A link without ids shows the attributes that describe it. */
function Linked({ link, search }: { readonly link: StepLink; readonly search: MessageSearch }) {
  const { trace_id, span_id, name, attributes = [] } = link
  if (trace_id === null)
    return (
      <>
        <span className="soft">Sent without a trace id</span>
        <PlainAttributeTable attributes={attributes} />
      </>
    )
  const step = span_id === null ? {} : { span: span_id }
  return (
    <>
      <Link to="/messages/$id" params={{ id: trace_id }} search={{ ...without(search, 'span'), ...step }}>
        {name || span_id || 'The message'}
      </Link>
      <span className="soft mono">{trace_id}</span>
    </>
  )
}

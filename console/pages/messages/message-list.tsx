import { Link } from '@tanstack/react-router'
import { usePreferences } from '../../app/preferences.tsx'
import { type Column, type MessagesSearch, orderWords } from '../../app/search.ts'
import { counted } from '../../parts/counted.ts'
import { ErrorIcon } from '../../parts/icons.tsx'
import { serviceColour } from '../../parts/service-colour.ts'
import { ServiceLabel } from '../../parts/service-label.tsx'
import { SpanName } from '../../parts/span-name.tsx'
import { currentTime } from '../../parts/time/clock.ts'
import { formatNs } from '../../parts/time/duration.ts'
import { formatExactTime, formatNearTime, zoneName } from '../../parts/time/time.ts'
import { visibleText } from '../../parts/value-text.ts'
import type { Message } from './message-query.ts'

/** The maximum number of services in a line, which no screen has room to exceed. */
const servicesShown = 8

interface MessageListProps {
  readonly messages: readonly Message[]
  /** The columns for which the messages have values. The chosen ones may have changed since. */
  readonly columnsRead: readonly Column[]
  readonly search: MessagesSearch
  readonly isStale: boolean
}

/** Lists the messages. */
export function MessageList({ messages, columnsRead, search, isStale }: MessageListProps) {
  const { isUtc } = usePreferences()
  const { columns = [] } = search
  const places = columns.map((column) => columnsRead.findIndex((read) => isSameColumn(read, column)))
  const longest = Math.max(...messages.map(({ duration_ns }) => Number(duration_ns)), 1)
  return (
    <section className="messages-box" tabIndex={columns.length > 0 ? 0 : -1} aria-label="Messages">
      <table className="messages" aria-busy={isStale}>
        <caption className="visually-hidden">Messages, {orderWords[search.order ?? 'newest']}</caption>
        <thead>
          <tr>
            <th scope="col" className="started">
              Started <span>({zoneName(isUtc)})</span>
            </th>
            <th scope="col">Message</th>
            {columns.map(({ attribute_key, attribute_source }) => (
              <th scope="col" key={`${attribute_source} ${attribute_key}`} className="column" title={attribute_key}>
                {attribute_key}
              </th>
            ))}
            <th scope="col" className="duration-cell">
              Duration
            </th>
            <th scope="col" className="services">
              Services
            </th>
            <th scope="col" className="number">
              Matched / all steps
            </th>
          </tr>
        </thead>
        <tbody>
          {messages.map((message) => (
            <MessageLine key={message.trace_id} {...{ message, places, search, longest, isUtc }} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface MessageLineProps {
  readonly message: Message
  /** The position of each chosen column among the values of the message; -1 if it was not read. */
  readonly places: readonly number[]
  readonly search: MessagesSearch
  readonly longest: number
  readonly isUtc: boolean
}

function MessageLine({ message, places, search, longest, isUtc }: MessageLineProps) {
  const { started_at, duration_ns, services } = message
  return (
    <tr>
      <td className="mono" title={formatExactTime(started_at, isUtc)}>
        {formatNearTime(started_at, currentTime(), isUtc, 3)}
      </td>
      <MessageCell message={message} search={search} />
      {(search.columns ?? []).map(({ attribute_key, attribute_source }, position) => (
        <ColumnCell key={`${attribute_source} ${attribute_key}`} value={message.columns?.[places[position] ?? -1]} />
      ))}
      <td className="duration-cell">
        <div className="duration">
          <meter min={0} max={longest} value={Number(duration_ns)} aria-hidden="true" />
          <span>{formatNs(Number(duration_ns))}</span>
        </div>
      </td>
      <td className="services">
        <div title={services.join(', ')}>
          <span className="soft">{services.length.toLocaleString('en')}</span>
          <span className="first-services">
            {services.slice(0, servicesShown).map((service) => (
              <ServiceLabel key={service} name={service} />
            ))}
          </span>
        </div>
      </td>
      <td className="number">
        <StepCounts message={message} search={search} />
      </td>
    </tr>
  )
}

/**
 * Shows the root of a message and how many steps failed. In a narrow window it also contains what has no column there.
 */
function MessageCell({ message, search }: Pick<MessageLineProps, 'message' | 'search'>) {
  const { trace_id, duration_ns, status, root, services, error_count } = message
  const [service, name] = [root?.service ?? 'no root', root?.name ?? trace_id]
  return (
    <td className="message-cell">
      <div>
        <Link
          to="/messages/$id"
          params={{ id: trace_id }}
          search={search}
          className="message-link"
          title={`${service}: ${name}`}
        >
          <span className="service-dot" style={{ background: serviceColour(root?.service ?? '') }} />
          <span className="soft">{visibleText(service)}</span>
          <strong>
            <SpanName name={name} />
          </strong>
        </Link>
        {status === 'error' && (
          <span className="error-mark">
            <ErrorIcon /> {error_count.toLocaleString('en')} failed
          </span>
        )}
      </div>
      <p className="soft narrow-facts">
        <span className="narrow-duration">{formatNs(Number(duration_ns))} · </span>
        <span className="narrow-services" title={services.join(', ')}>
          {counted(services.length, 'service')}
        </span>
      </p>
    </td>
  )
}

function isSameColumn(left: Column, right: Column): boolean {
  return left.attribute_key === right.attribute_key && left.attribute_source === right.attribute_source
}

/** Shows the value of a chosen column: undefined until it is read, and null if it is absent, unlike the empty text. */
function ColumnCell({ value }: { readonly value: NonNullable<Message['columns']>[number] | undefined }) {
  if (value === undefined) return <td className="column" />
  if (value === null) return <td className="column soft">–</td>
  return (
    <td className="column mono" title={value.value}>
      {value.value}
    </td>
  )
}

/** Shows the numbers of matched and of all steps of a message, as a button that explains why it matched. */
function StepCounts({ message, search }: Pick<MessageLineProps, 'message' | 'search'>) {
  return (
    <Link
      to="/messages/$id"
      params={{ id: message.trace_id }}
      search={{ ...search, side: 'why' }}
      className="steps-link"
      title="Why it matched"
    >
      {message.matched_step_count.toLocaleString('en')}{' '}
      <span className="soft">/ {message.span_count.toLocaleString('en')}</span>
    </Link>
  )
}

import { Link } from '@tanstack/react-router'
import { usePreferences } from '../../app/preferences.tsx'
import { type MessagesSearch, orderWords } from '../../app/search.ts'
import { formatNs } from '../../parts/duration.ts'
import { ErrorIcon } from '../../parts/icons.tsx'
import { serviceColour } from '../../parts/service-colour.ts'
import { formatTime, zoneName } from '../../parts/time.ts'
import type { Message } from './message-query.ts'

const servicesShown = 4

interface MessageListProps {
  readonly messages: readonly Message[]
  readonly search: MessagesSearch
  readonly isStale: boolean
}

/** The messages that were found. */
export function MessageList({ messages, search, isStale }: MessageListProps) {
  const { isUtc } = usePreferences()
  const longest = Math.max(...messages.map(({ duration_ns }) => Number(duration_ns)), 1)
  return (
    <table className="messages" aria-busy={isStale}>
      <caption className="visually-hidden">Messages, {orderWords[search.order ?? 'newest']}</caption>
      <thead>
        <tr>
          <th scope="col">Started ({zoneName(isUtc)})</th>
          <th scope="col">Message</th>
          <th scope="col">Duration</th>
          <th scope="col">Services</th>
          <th scope="col" className="number">
            Matched / all steps
          </th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <MessageLine key={message.trace_id} message={message} search={search} longest={longest} isUtc={isUtc} />
        ))}
      </tbody>
    </table>
  )
}

interface MessageLineProps {
  readonly message: Message
  readonly search: MessagesSearch
  readonly longest: number
  readonly isUtc: boolean
}

function MessageLine({ message, search, longest, isUtc }: MessageLineProps) {
  const { trace_id, started_at, duration_ns, status, root, services, span_count, error_count } = message
  const rest = services.length - servicesShown
  return (
    <tr>
      <td className="mono">{formatTime(started_at, isUtc, 3)}</td>
      <td>
        <Link to="/messages/$id" params={{ id: trace_id }} search={search} className="message-link">
          <span className="service-dot" style={{ background: serviceColour(root?.service ?? '') }} />
          <span className="soft">{root?.service ?? 'no root'}</span>
          <strong>{root?.name ?? trace_id}</strong>
        </Link>
        {status === 'error' && (
          <span className="error-mark">
            <ErrorIcon /> {error_count === 1 ? '1 failed step' : `${error_count} failed steps`}
          </span>
        )}
      </td>
      <td>
        <div className="duration">
          <meter min={0} max={longest} value={Number(duration_ns)} aria-label="Share of the longest message shown" />
          <span>{formatNs(Number(duration_ns))}</span>
        </div>
      </td>
      <td className="services">
        {services.slice(0, servicesShown).map((service) => (
          <span key={service} className="service">
            <span className="service-dot" style={{ background: serviceColour(service) }} />
            {service}
          </span>
        ))}
        {rest > 0 && (
          <span className="soft" title={services.slice(servicesShown).join(', ')}>
            and {rest} more
          </span>
        )}
      </td>
      <td className="number">
        {message.matched_step_count.toLocaleString('en')}{' '}
        <span className="soft">/ {span_count.toLocaleString('en')}</span>
      </td>
    </tr>
  )
}

import { Link } from '@tanstack/react-router'
import type { components } from '../../../../openapi/types.ts'
import { usePreferences } from '../../../app/preferences.tsx'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Waiting } from '../../../parts/answers/list-states.tsx'
import { counted } from '../../../parts/counted.ts'
import { currentTime } from '../../../parts/time/clock.ts'
import { formatNearTime } from '../../../parts/time/time.ts'
import type { useDifference } from '../integration-query.ts'

type Difference = components['schemas']['IntegrationDiff']

/** The number of example messages that are shown. */
const examplesMax = 5

/** Shows what would change if the draft were saved. */
export function Changes({ difference }: { readonly difference: ReturnType<typeof useDifference> }) {
  const { data, error, isPlaceholderData } = difference
  if (error !== null) return <Fault error={error} retry={() => void difference.refetch()} />
  if (data === undefined) return <Waiting className="totals-waiting" words="Comparing" />
  const { messages, spans, services, alert_rules, alert_rule_count, grants } = data
  return (
    <div className="changes" aria-busy={isPlaceholderData} data-stale={isPlaceholderData}>
      <p>
        {messages.entering + messages.leaving === 0 && spans.entering + spans.leaving === 0 ? (
          <strong>Nothing in this time range</strong>
        ) : (
          <>
            <strong>{counted(messages.entering, 'message')}</strong> would enter,{' '}
            <strong>{messages.leaving.toLocaleString('en')}</strong> would leave,{' '}
            {messages.staying.toLocaleString('en')} would stay.
          </>
        )}
      </p>
      <Moves services={services} />
      <Examples title="Would enter" messages={data.newest_entering} />
      <Examples title="Would leave" messages={data.newest_leaving} />
      {alert_rule_count > 0 && (
        <>
          <h3>Alert rules</h3>
          <ul>
            {alert_rules.map((rule) => (
              <AlertRule key={rule.id} rule={rule} />
            ))}
          </ul>
        </>
      )}
      {grants.subject_count > 0 && (
        <p>
          {grants.subject_count === 1 ? '1 person is' : `${grants.subject_count.toLocaleString('en')} people are`}{' '}
          granted the integration and would see the new traffic
          {grants.subjects === undefined ? '' : `: ${grants.subjects.join(', ')}`}.
        </p>
      )}
    </div>
  )
}

function Moves({ services }: Pick<Difference, 'services'>) {
  const moved = services.filter(({ spans }) => spans.entering + spans.leaving > 0)
  if (moved.length === 0) return null
  return (
    <table className="moves">
      <caption className="visually-hidden">Spans by service</caption>
      <thead>
        <tr>
          <th scope="col">Spans of</th>
          <th scope="col">enter</th>
          <th scope="col">leave</th>
          <th scope="col">stay</th>
        </tr>
      </thead>
      <tbody>
        {moved.map(({ service, spans }) => (
          <tr key={service}>
            <th scope="row">{service}</th>
            <td>{signed(spans.entering, '+')}</td>
            <td>{signed(spans.leaving, '−')}</td>
            <td>{spans.staying.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function signed(count: number, sign: string): string {
  return count === 0 ? '0' : `${sign}${count.toLocaleString('en')}`
}

interface ExamplesProps {
  readonly title: string
  readonly messages: Difference['newest_entering']
}

/**
 * Lists the newest messages that would be added or removed. They open in another tab, so that the editor keeps its
 * edits.
 */
function Examples({ title, messages }: ExamplesProps) {
  const { isUtc } = usePreferences()
  if (messages.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul className="examples">
        {messages.slice(0, examplesMax).map(({ trace_id, started_at, root }) => (
          <li key={trace_id}>
            <Link to="/messages/$id" params={{ id: trace_id }} target="_blank">
              {root?.name ?? trace_id}
            </Link>{' '}
            <span className="soft">{formatNearTime(started_at, currentTime(), isUtc)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function AlertRule({ rule }: { readonly rule: Difference['alert_rules'][number] }) {
  const { name, enabled, before, after } = rule
  return (
    <li>
      <strong>{name}</strong>
      {enabled ? '' : ' (off)'}: {reading(before)} → {reading(after)}
      {after.violated && !before.violated && <span className="failed-text"> It would fire.</span>}
      {before.violated && !after.violated && ' It would no longer fire.'}
    </li>
  )
}

function reading({ value }: { readonly value: number | null }): string {
  return value === null ? 'no data' : Number(value.toPrecision(6)).toLocaleString('en')
}

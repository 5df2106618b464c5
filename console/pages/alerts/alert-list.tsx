import { Link } from '@tanstack/react-router'
import { isUnknownRecord, statusOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { faultOf, ShowMore } from '../../parts/answers/show-more.tsx'
import { DoneIcon, ErrorIcon } from '../../parts/icons.tsx'
import { useKeptOpen } from '../../parts/kept-open.ts'
import { beginningOf, isLong } from '../../parts/long-text.tsx'
import { currentTime } from '../../parts/time/clock.ts'
import { formatTime } from '../../parts/time/time.ts'
import { useChannels } from '../channels/channel-query.ts'
import { DeliveryList } from '../channels/deliveries.tsx'
import {
  type Alert,
  type AlertState,
  useAlert,
  useAlertDeliveries,
  useAlertRule,
  type useAlerts,
} from './alert-query.ts'
import { messagesOfAlert } from './alert-rule-messages.ts'

interface AlertListProps {
  readonly alerts: ReturnType<typeof useAlerts>
  /** The state of the alerts that are listed; undefined where those of all states are. */
  readonly state?: AlertState | undefined
}

const noneWords: Readonly<Record<AlertState, string>> = {
  firing: 'No alert is firing.',
  resolved: 'No resolved alert is kept.',
}

/** A list of alerts. Each one expands to its deliveries and links to its messages. */
export function AlertList({ alerts, state }: AlertListProps) {
  if (alerts.isPending) return <WaitingList words="Loading alerts" />
  const fault = faultOf(alerts)
  const all = alerts.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section aria-label="Alerts">
      {fault !== null && <Fault error={fault} retry={() => void alerts.refetch()} />}
      {fault === null && all.length === 0 && (
        <p className="card empty-list soft">
          {state === undefined ? 'No alerts. Nothing has fired that is still kept.' : noneWords[state]}
        </p>
      )}
      {all.length > 0 && (
        <ol className="card delivery-list">
          {all.map((alert) => (
            <AlertItem key={alert.id} alert={alert} />
          ))}
        </ol>
      )}
      <ShowMore list={alerts} />
    </section>
  )
}

/** The alert of the address. It need not be in the list, which shows the newest ones of a state. */
export function LinkedAlert({ id }: { readonly id: string }) {
  const { data, error, refetch } = useAlert(id)
  const isGone = isUnknownRecord(error)
  return (
    <section aria-label="Alert">
      {isGone && <p className="notice">This alert does not exist, or is no longer kept.</p>}
      {error !== null && !isGone && <Fault error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <WaitingList words="Loading the alert" />}
      {data !== undefined && (
        <ol className="card delivery-list">
          <AlertItem alert={data} isLinked />
        </ol>
      )}
    </section>
  )
}

interface AlertItemProps {
  readonly alert: Alert
  /** Whether it is the alert of the address, which is open at first. */
  readonly isLinked?: boolean
}

function AlertItem({ alert, isLinked = false }: AlertItemProps) {
  const { isUtc } = usePreferences()
  const [isOpen, setOpen] = useKeptOpen(alert.id, isLinked)
  const { state, severity, summary, started_at, resolved_at } = alert
  return (
    <li className="delivery">
      <details className="opening" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className={state === 'firing' ? 'state failed-state' : 'state'}>
            {state === 'firing' ? <ErrorIcon /> : <DoneIcon />}
            {state}
          </span>
          <span className="alert-severity">{severity}</span>
          <span className="mono">
            {formatTime(started_at, isUtc)}
            {resolved_at !== null && ` to ${formatTime(resolved_at, isUtc)}`}
          </span>
          <span className="alert-summary">{beginningOf(summary)}</span>
        </summary>
        {isOpen && <AlertDetails alert={alert} isLinked={isLinked} />}
      </details>
    </li>
  )
}

function AlertDetails({ alert, isLinked }: Required<AlertItemProps>) {
  const rule = useAlertRule(alert.rule_id)
  const channels = useChannels()
  const known = (channels.data ?? []).map(({ id }) => id)
  const deliveries = useAlertDeliveries(alert, known)
  const messages = rule.data === undefined ? undefined : messagesOfAlert(rule.data, alert, currentTime())
  const gone = alert.channel_ids.filter((id) => channels.data !== undefined && !known.includes(id)).length
  return (
    <div className="alert-details">
      {isLong(alert.summary) && <p>{alert.summary}</p>}
      <p className="field-line">
        {messages !== undefined && (
          <Link to="/" search={messages.search}>
            Messages of this alert
          </Link>
        )}
        {rule.data !== undefined && (
          <Link to="/alerts/rules/$id" params={{ id: alert.rule_id }}>
            Rule {alert.rule_name}
          </Link>
        )}
        {!isLinked && (
          <Link to="/alerts" search={{ show: 'alerts', alert: alert.id }}>
            Link to this alert
          </Link>
        )}
        {statusOf(rule.error) === 404 && <span className="soft">Its rule was deleted.</span>}
        {messages !== undefined && messages.leftOut > 0 && (
          <span className="soft">Without {messages.leftOut} of its conditions, which are negative.</span>
        )}
      </p>
      {channels.error !== null && <Fault error={channels.error} retry={() => void channels.refetch()} />}
      {deliveries.error !== null && <Fault error={deliveries.error} retry={() => void deliveries.refetch()} />}
      {alert.channel_ids.length === 0 && <p className="soft">Nobody was notified: its rule had no channels.</p>}
      {gone > 0 && <p className="soft">{gone} of its channels were deleted, with their deliveries.</p>}
      <ChannelDeliveries deliveries={deliveries.data ?? []} channels={channels.data ?? []} />
    </div>
  )
}

interface ChannelDeliveriesProps {
  readonly deliveries: Parameters<typeof DeliveryList>[0]['deliveries']
  readonly channels: NonNullable<ReturnType<typeof useChannels>['data']>
}

function ChannelDeliveries({ deliveries, channels }: ChannelDeliveriesProps) {
  const nameOf = (id: string) => channels.find((channel) => channel.id === id)?.name ?? id
  const enabled = channels.filter((channel) => channel.enabled).map(({ id }) => id)
  return (
    <DeliveryList
      deliveries={deliveries}
      isEnabled={(delivery) => enabled.includes(delivery.channel_id)}
      nameOf={(delivery) => nameOf(delivery.channel_id)}
    />
  )
}

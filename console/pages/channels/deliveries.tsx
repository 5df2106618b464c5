import { Link } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { usePreferences } from '../../app/preferences.tsx'
import { useMayWrite } from '../../app/session.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { faultOf, ShowMore } from '../../parts/answers/show-more.tsx'
import { counted } from '../../parts/counted.ts'
import { DoneIcon, ErrorIcon } from '../../parts/icons.tsx'
import { formatTime } from '../../parts/time/time.ts'
import { working } from '../../parts/working.ts'
import { type Channel, type Delivery, useDeliveries, useRetry } from './channel-query.ts'

/** The deliveries of a channel with their attempts, newest first. */
export function Deliveries({ channel }: { readonly channel: Channel }) {
  const deliveries = useDeliveries(channel.id)
  const fault = faultOf(deliveries)
  const all = deliveries.data?.pages.flatMap(({ items }) => items) ?? []
  if (deliveries.isPending) return <WaitingList words="Loading deliveries" />
  return (
    <section aria-label="Deliveries">
      {fault !== null && <Fault error={fault} retry={() => void deliveries.refetch()} />}
      {deliveries.isSuccess && all.length === 0 && (
        <div className="card empty-list">
          <h2>Nothing was delivered yet</h2>
          <p className="soft">Send a test, or add the channel to an alert rule.</p>
        </div>
      )}
      <DeliveryList deliveries={all} isEnabled={() => channel.enabled} />
      <ShowMore list={deliveries} />
    </section>
  )
}

interface DeliveryListProps {
  readonly deliveries: readonly Delivery[]
  /** Reports whether the channel of a delivery is enabled. Otherwise the delivery cannot be retried. */
  readonly isEnabled: (delivery: Delivery) => boolean
  /** Returns the name of the channel that a delivery went to. Without it, deliveries have the names of their rules. */
  readonly nameOf?: (delivery: Delivery) => string
}

/** A list of deliveries, each of which expands to its attempts. */
export function DeliveryList({ deliveries, isEnabled, nameOf }: DeliveryListProps) {
  if (deliveries.length === 0) return null
  return (
    <ol className="card delivery-list">
      {deliveries.map((delivery) => (
        <DeliveryItem
          key={delivery.id}
          delivery={delivery}
          isEnabled={isEnabled(delivery)}
          name={nameOf?.(delivery)}
          hasAlert={nameOf === undefined && delivery.event !== 'test'}
        />
      ))}
    </ol>
  )
}

interface DeliveryItemProps {
  readonly delivery: Delivery
  readonly isEnabled: boolean
  readonly name: string | undefined
  readonly hasAlert: boolean
}

function DeliveryItem({ delivery, isEnabled, name, hasAlert }: DeliveryItemProps) {
  const { isUtc } = usePreferences()
  const { rule_name, event, state, attempts, created_at, next_attempt_at, template_error, alert_id } = delivery
  return (
    <li className="delivery">
      <details className="opening">
        <summary>
          <span className="mono">{formatTime(created_at, isUtc)}</span>
          <DeliveryState state={state} attempts={attempts} />
          <span className="delivery-subject">
            {name === undefined && rule_name !== null && <strong>{rule_name}</strong>} {event}
            {name !== undefined && (
              <>
                {' to '}
                <strong>{name}</strong>
              </>
            )}
          </span>
          <span className="soft">{resultOf(delivery)}</span>
        </summary>
        <Attempts attempts={attempts} />
        {next_attempt_at !== null && <p className="soft">Next attempt at {formatTime(next_attempt_at, isUtc)}.</p>}
      </details>
      {template_error !== null && (
        <p className="field-fault">
          The template could not be rendered, so the alert JSON was posted in its place: {template_error}
        </p>
      )}
      <span className="field-line">
        {hasAlert && (
          <Link to="/alerts" search={{ show: 'alerts', alert: alert_id }}>
            Alert
          </Link>
        )}
        <Retry delivery={delivery} isEnabled={isEnabled} />
      </span>
    </li>
  )
}

/**
 * Shows the state of a delivery. One that will be retried after a failure is marked, because the receiver has not got
 * it yet.
 */
export function DeliveryState({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>) {
  const isFailing = state === 'failed' || (state === 'pending' && attempts.length > 0)
  return (
    <span className={isFailing ? 'state failed-state' : 'state'}>
      {isFailing && <ErrorIcon />}
      {state === 'delivered' && <DoneIcon />}
      {state}
    </span>
  )
}

/** Returns a short description of the result of the last attempt. */
export function resultOf({ attempts }: Pick<Delivery, 'attempts'>): string {
  const last = attempts.at(-1)
  if (last === undefined) return 'no attempt yet'
  const result = last.error ?? `status ${last.status} after ${last.duration_ms.toLocaleString('en')} ms`
  return `${counted(attempts.length, 'attempt')}, last: ${result}`
}

export function Attempts({ attempts }: Pick<Delivery, 'attempts'>) {
  const { isUtc } = usePreferences()
  return (
    <ol className="attempts">
      {attempts.map(({ number, started_at, duration_ms, status, response, error }) => (
        <li key={number}>
          <span className="mono">{formatTime(started_at, isUtc, 3)}</span> Attempt {number}:{' '}
          {status === null ? 'no response' : `status ${status}`} after {duration_ms.toLocaleString('en')} ms
          {error !== null && <p className="field-fault">{error}</p>}
          {response && <pre>{response}</pre>}
        </li>
      ))}
    </ol>
  )
}

/** The button that retries a failed delivery, if the caller may retry it and its channel is enabled. */
function Retry({ delivery, isEnabled }: Pick<DeliveryItemProps, 'delivery' | 'isEnabled'>) {
  const mayWrite = useMayWrite()
  const retry = useRetry(delivery)
  if (!mayWrite || delivery.state === 'delivered') return null
  if (!isEnabled) return <span className="soft">Enable the channel to retry.</span>
  return (
    <>
      <Button className="button" onPress={() => retry.mutate()} {...working(retry.isPending)}>
        Retry now
      </Button>
      {retry.error !== null && <Fault error={retry.error} />}
    </>
  )
}

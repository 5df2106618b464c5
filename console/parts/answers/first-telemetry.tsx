import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { api, dataOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { useCaller, useIsRestricted } from '../../app/session.tsx'
import { formatTime, storedWindow } from '../time/time.ts'

type Telemetry = 'message' | 'log record'

/** Functions that return the time of the newest stored record, or null. */
const newestOf: Readonly<Record<Telemetry, (signal: AbortSignal) => Promise<string | null>>> = {
  async message(signal) {
    const body = { ...storedWindow, limit: 1 }
    return (await dataOf(api.POST('/api/v1/messages/search', { body, signal }))).messages[0]?.started_at ?? null
  },
  async 'log record'(signal) {
    const body = { ...storedWindow, limit: 1 }
    return (await dataOf(api.POST('/api/v1/logs/search', { body, signal }))).items[0]?.time ?? null
  },
}

interface NothingArrivedProps {
  readonly noun: Telemetry
  /** Shows the time around the newest record. */
  readonly onShow: (moment: string) => void
}

/**
 * Leads out of a time range without any telemetry: to the newest that is stored, or to a page about sending the first.
 */
export function NothingArrived({ noun, onShow }: NothingArrivedProps) {
  const { isUtc } = usePreferences()
  const { data: newest, isError } = useQuery({
    queryKey: ['newest', noun],
    queryFn: ({ signal }) => newestOf[noun](signal),
  })
  if (isError) return null
  if (newest === undefined) return <p className="soft">Looking for the newest {noun}…</p>
  if (newest === null) return <FirstTelemetry noun={noun} />
  return (
    <p>
      The newest {noun} is from {formatTime(newest, isUtc)}.{' '}
      <Button className="button" onPress={() => onShow(newest)}>
        Show the hour around it
      </Button>
    </p>
  )
}

/**
 * Links to a page about sending the first telemetry, for an organization that has none. A restricted caller sees none
 * without a grant, whatever was received.
 */
function FirstTelemetry({ noun }: Pick<NothingArrivedProps, 'noun'>) {
  const role = useCaller().data?.role
  if (role === 'restricted') return <GrantedOnly />
  return (
    <p>
      <Link to="/start" className="button-link primary">
        See how to send the first {noun === 'message' ? 'span' : noun}
      </Link>{' '}
      {role === 'admin' && <span className="soft">with a key that is made on the spot</span>}
    </p>
  )
}

/** Tells restricted callers why they see less than was received. Renders nothing for other roles. */
export function GrantedOnly() {
  const isRestricted = useIsRestricted()
  if (!isRestricted) return null
  return <p className="soft">You see only what belongs to integrations that an admin has granted to you.</p>
}

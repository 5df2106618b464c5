import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { api, dataOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { useCaller, useIsRestricted } from '../../app/session.tsx'
import { formatTime, storedWindow } from '../time/time.ts'

type Telemetry = 'message' | 'log record'

/** Each returns the time of the newest record that is stored, or null. */
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

/** The way out of a time range without any telemetry: to the newest that is stored, or to sending the first. */
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
 * The way to the first telemetry of an organization that has none. For a restricted caller nothing is there without a
 * grant, whatever has arrived.
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

/** Tells a restricted caller why less is shown than has arrived. Nothing for other roles. */
export function GrantedOnly() {
  const isRestricted = useIsRestricted()
  if (!isRestricted) return null
  return <p className="soft">You see only what belongs to integrations that an admin has granted to you.</p>
}

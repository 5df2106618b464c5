import { Link } from '@tanstack/react-router'
import { useCaller, useIsRestricted } from '../app/session.tsx'

/**
 * The way to the first telemetry of an organization that has none. For a restricted caller nothing is there without a
 * grant, whatever has arrived.
 */
export function FirstTelemetry({ noun }: { readonly noun: 'span' | 'log record' }) {
  const role = useCaller().data?.role
  if (role === 'restricted') return <GrantedOnly />
  return (
    <p>
      <Link to="/start" className="button-link primary">
        See how to send the first {noun}
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

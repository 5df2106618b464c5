import { Link } from '@tanstack/react-router'

/** The way to the first telemetry of an organization that has none. */
export function FirstSpan() {
  return (
    <p>
      <Link to="/start" className="button-link primary">
        See how to send the first span
      </Link>{' '}
      <span className="soft">with a key that is made on the spot</span>
    </p>
  )
}

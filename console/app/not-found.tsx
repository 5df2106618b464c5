import { Link } from '@tanstack/react-router'
import { PageHeading } from './page-heading.tsx'

export function NotFound() {
  return (
    <main className="card centered">
      <PageHeading>No such page</PageHeading>
      <p>
        The address may be mistyped. <Link to="/">Go to the messages</Link>
      </p>
    </main>
  )
}

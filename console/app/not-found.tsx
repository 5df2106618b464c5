import { Link } from '@tanstack/react-router'

export function NotFound() {
  return (
    <main className="card centered">
      <h1>No such page</h1>
      <p>
        The address may be mistyped. <Link to="/">Go to the messages</Link>
      </p>
    </main>
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from 'react-aria-components'

/**
 * Names the parameters of the address that this version cannot read, so that nobody takes the results for narrower than
 * they are.
 */
export function UnreadNotice() {
  const { unread, ...read } = useSearch({ strict: false })
  const navigate = useNavigate()
  if (unread === undefined) return null
  return (
    <div className="notice fault unread" role="alert">
      <div>
        <strong>Part of the address was not understood and is ignored</strong>
        <ul>
          {Object.entries(unread).map(([name, value]) => (
            <li key={name}>
              {name} <code>{JSON.stringify(value)}</code>
            </li>
          ))}
        </ul>
      </div>
      <Button className="button" onPress={() => void navigate({ to: '.', search: read })}>
        Leave it out
      </Button>
    </div>
  )
}

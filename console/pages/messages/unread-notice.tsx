import { Button } from 'react-aria-components'
import type { MessagesSearch } from '../../app/search.ts'

interface UnreadNoticeProps {
  readonly search: MessagesSearch
  readonly onChange: (search: MessagesSearch) => void
}

/** Says what the address asks and this version cannot read, so that no answer is taken for more than it is. */
export function UnreadNotice({ search, onChange }: UnreadNoticeProps) {
  const { unread, ...read } = search
  if (unread === undefined) return null
  return (
    <div className="notice fault" role="alert">
      <div className="unread">
        <strong>Part of the address was not understood, and is not asked</strong>
        <ul>
          {Object.entries(unread).map(([name, value]) => (
            <li key={name}>
              {name} <code>{JSON.stringify(value)}</code>
            </li>
          ))}
        </ul>
      </div>
      <Button className="button" onPress={() => onChange(read)}>
        Leave it out
      </Button>
    </div>
  )
}

import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Autocomplete, Input, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components'
import { ClockIcon, MessagesIcon, ThemeIcon } from '../parts/icons.tsx'
import { relativeWindows, withoutWindow } from '../parts/time.ts'
import { linkTo, placesOf } from './places.tsx'
import { usePreferences } from './preferences.tsx'
import { listSearchOf, type MessageSearch, windowSearchOf } from './search.ts'
import { useCaller } from './session.tsx'

const tracePattern = /^[0-9a-f]{32}$/i
/** The paths of the pages that have a time range. */
const windowed = /^\/($|explore\/|services|integrations|alerts\/rules\/)/

interface Command {
  readonly id: string
  readonly name: string
  readonly icon: ReactNode
  readonly run: () => void
}

/** Goes anywhere by name: pages, time ranges, the theme, or a message by its trace id. */
export function CommandPalette({ onDone }: { readonly onDone: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' })
  const [text, setText] = useState('')
  const commands = useCommands(text)
  return (
    <div className="palette">
      <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
        <SearchField aria-label="Command, or trace id" autoFocus>
          <Input placeholder="Page, time range, or trace id" />
        </SearchField>
        <Menu
          className="options"
          items={commands}
          renderEmptyState={() => <p className="soft">Nothing has this name.</p>}
          onAction={(key) => {
            onDone()
            commands.find((each) => each.id === key)?.run()
          }}
        >
          {({ id: key, name, icon }) => (
            <MenuItem id={key} className="option" textValue={name}>
              {icon} {key === 'message' ? `Open message ${name}` : name}
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </div>
  )
}

/** Returns the page in another time range. One without a time range leads to the messages, as they were asked. */
function inWindow(pathname: string, current: MessageSearch, last: string) {
  if (windowed.test(pathname)) return { to: pathname as '/', search: { ...withoutWindow(current), last } }
  const asked = pathname.startsWith('/messages/') ? withoutWindow(listSearchOf(current)) : {}
  return { to: '/', search: { ...asked, last } } as const
}

/** What can be done from here. A text that is a trace id opens its message. */
function useCommands(text: string): readonly Command[] {
  const navigate = useNavigate()
  const { isUtc, theme, set } = usePreferences()
  const role = useCaller().data?.role
  const current = useSearch({ strict: false })
  const { pathname } = useLocation()
  const id = text.trim().toLowerCase()
  return [
    ...(tracePattern.test(id)
      ? [
          {
            id: 'message',
            name: text,
            icon: <MessagesIcon />,
            run: () => void navigate({ to: '/messages/$id', params: { id }, search: windowSearchOf(current) }),
          },
        ]
      : []),
    ...placesOf(role).map((place) => ({
      id: place.to,
      name: place.name,
      icon: place.icon,
      run: () => void navigate(linkTo(place, current)),
    })),
    ...relativeWindows.map(([last, words]) => ({
      id: last,
      name: `Time range: ${words.toLowerCase()}`,
      icon: <ClockIcon />,
      run: () => void navigate(inWindow(pathname, current, last)),
    })),
    {
      id: 'zone',
      name: isUtc ? 'Show local time' : 'Show UTC',
      icon: <ClockIcon />,
      run: () => set({ isUtc: !isUtc }),
    },
    {
      id: 'theme',
      icon: <ThemeIcon />,
      name: theme === 'dark' ? 'Light theme' : 'Dark theme',
      run: () => set({ theme: theme === 'dark' ? 'light' : 'dark' }),
    },
  ]
}

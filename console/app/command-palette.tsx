import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Autocomplete, Input, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components'
import { relativeWindows, withoutWindow } from '../parts/time.ts'
import { placesOf } from './places.tsx'
import { usePreferences } from './preferences.tsx'
import { useCaller } from './session.tsx'

const tracePattern = /^[0-9a-f]{32}$/i
/** The paths of the pages that have a time range. */
const windowed = /^\/($|explore\/|services|integrations|alerts\/rules\/)/

interface Command {
  readonly id: string
  readonly name: string
  readonly run: () => void
}

/** Goes anywhere by name: pages, time ranges, the theme, or a message by its trace id. */
export function CommandPalette({ onDone }: { readonly onDone: () => void }) {
  const navigate = useNavigate()
  const { isUtc, theme, set } = usePreferences()
  const role = useCaller().data?.role
  const { contains } = useFilter({ sensitivity: 'base' })
  const current = useSearch({ strict: false })
  const { pathname } = useLocation()
  const [text, setText] = useState('')
  const id = text.trim().toLowerCase()
  const commands: Command[] = [
    ...(tracePattern.test(id)
      ? [{ id: 'message', name: text, run: () => void navigate({ to: '/messages/$id', params: { id } }) }]
      : []),
    ...placesOf(role).map(({ to, name }) => ({ id: to, name, run: () => void navigate({ to }) })),
    ...relativeWindows.map(([last, words]) => ({
      id: last,
      name: `Time range: ${words.toLowerCase()}`,
      // A page without a time range leads to the messages.
      run: () =>
        void (windowed.test(pathname)
          ? navigate({ to: pathname as '/', search: { ...withoutWindow(current), last } })
          : navigate({ to: '/', search: { last } })),
    })),
    { id: 'zone', name: isUtc ? 'Show local time' : 'Show UTC', run: () => set({ isUtc: !isUtc }) },
    {
      id: 'theme',
      name: theme === 'dark' ? 'Light theme' : 'Dark theme',
      run: () => set({ theme: theme === 'dark' ? 'light' : 'dark' }),
    },
  ]
  return (
    <div className="palette">
      <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
        <SearchField aria-label="Command, or trace id" autoFocus>
          <Input placeholder="Go to a page, a time range, or a trace id" />
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
          {({ id: key, name }) => (
            <MenuItem id={key} className="option" textValue={name}>
              {key === 'message' ? `Open message ${name}` : name}
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </div>
  )
}

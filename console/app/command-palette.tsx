import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  Autocomplete,
  Button,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
  useFilter,
} from 'react-aria-components'
import { settingsTabsOf } from '../pages/settings/settings-search.ts'
import { ClockIcon, MessagesIcon, SettingsIcon, ThemeIcon } from '../parts/icons.tsx'
import { isZoneChosen, relativeWindows, withoutWindow } from '../parts/time/time.ts'
import { type FoundNames, matchesOf, useFoundNames } from './found-names.ts'
import { linkTo, places, placesOf } from './places.tsx'
import { usePreferences } from './preferences.tsx'
import { listSearchOf, type MessageSearch, windowSearchOf } from './search.ts'
import { useCaller } from './session.tsx'

/** A trace id, alone or with a span id: as two words, as a path, or as in the header `traceparent`. */
const idPattern = /^(?:[0-9a-f]{2}-)?([0-9a-f]{32})(?:[-/:,\s]+([0-9a-f]{16})(?:-[0-9a-f]{2})?)?$/
/** The paths of the pages that have a time range. */
const windowed = /^\/($|explore\/|services|integrations|alerts\/rules\/)/

interface Command {
  readonly id: string
  readonly name: string
  readonly icon: ReactNode
  readonly run: () => void
}

interface CommandPaletteProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onDone: () => void
}

/** Finds anything by name: pages and what they list, time ranges, the theme, or a message by its trace id. */
export function CommandPalette({ text, onText, onDone }: CommandPaletteProps) {
  const { found, isReading, missing, retry } = useFoundNames(text, useSearch({ strict: false }))
  const commands = useCommands(text)
  const sections: readonly Section[] = [
    ...(commands.length > 0 ? [{ title: '', items: commands }] : []),
    ...found.map(({ kind, best, count }) => ({
      title: best.length < count ? `${kind}, ${best.length} of ${count}` : kind,
      items: best.map(({ id, name, open }) => ({ id: `${kind} ${id}`, name, icon: iconOf(kind), run: open })),
    })),
  ]
  const items = sections.flatMap((section) => section.items)
  return (
    <div className="palette">
      <Autocomplete inputValue={text} onInputChange={onText}>
        <SearchField aria-label="Command, name, or trace id" autoFocus>
          <Input placeholder="Page, service, integration, view, alert rule, channel, or trace id" />
        </SearchField>
        {/* Keys go through the menu while the focus stays in the field, so what scrolls has a focus of its own. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable */}
        <div className="options" tabIndex={0}>
          <Menu
            aria-label="Commands"
            renderEmptyState={() => (
              <p className="soft">{isReading ? 'Reading the names…' : 'Nothing has this name.'}</p>
            )}
            onAction={(key) => {
              onDone()
              items.find((each) => each.id === key)?.run()
            }}
          >
            {sections.map((section) => (
              <MenuSection key={section.title} aria-label={section.title || 'Commands'}>
                {section.title !== '' && <Header className="soft">{section.title}</Header>}
                {section.items.map(({ id: key, name, icon }) => (
                  <MenuItem key={key} id={key} className="option" textValue={name}>
                    {icon}{' '}
                    <span className="name" title={name}>
                      {name}
                    </span>
                  </MenuItem>
                ))}
              </MenuSection>
            ))}
          </Menu>
        </div>
      </Autocomplete>
      {missing.length > 0 && (
        <p className="notice" role="status">
          {missing.join(', ')} could not be read.{' '}
          <Button className="button bare" onPress={retry}>
            Retry
          </Button>
        </p>
      )}
    </div>
  )
}

interface Section {
  /** Empty for commands, which come first. */
  readonly title: string
  readonly items: readonly Command[]
}

function iconOf(kind: FoundNames['kind']): ReactNode {
  return places.find(({ name }) => name === kind)?.icon
}

/**
 * Returns the link to the current page with another time range. From a page without a time range it leads to the
 * messages, with their filter.
 */
function inWindow(pathname: string, current: MessageSearch, last: string) {
  if (windowed.test(pathname)) return { to: pathname as '/', search: { ...withoutWindow(current), last } }
  const filter = pathname.startsWith('/messages/') ? withoutWindow(listSearchOf(current)) : {}
  return { to: '/', search: { ...filter, last } } as const
}

/** Returns the commands whose names contain the text. A trace id is a command that opens its message. */
function useCommands(text: string): readonly Command[] {
  const navigate = useNavigate()
  const { isUtc, theme, set } = usePreferences()
  const role = useCaller().data?.role
  const current = useSearch({ strict: false })
  const { pathname } = useLocation()
  const filter = useFilter({ sensitivity: 'base' })
  const [, id = '', span] = idPattern.exec(text.trim().toLowerCase()) ?? []
  const search = { ...windowSearchOf(current), ...(span === undefined ? {} : { span }) }
  const message = {
    id: 'message',
    name: span === undefined ? `Open message ${id}` : `Open message ${id} at step ${span}`,
    icon: <MessagesIcon />,
    run: () => void navigate({ to: '/messages/$id', params: { id }, search }),
  }
  const zone = {
    id: 'zone',
    name: isUtc ? 'Show local time' : 'Show UTC',
    icon: <ClockIcon />,
    run: () => set({ isUtc: !isUtc }),
  }
  const commands: readonly Command[] = [
    ...placesOf(role).map((place) => ({
      id: place.to,
      name: place.name,
      icon: place.icon,
      run: () => void navigate(linkTo(place, current)),
    })),
    ...settingsTabsOf(role).map(([tab, title]) => ({
      id: `settings ${tab}`,
      name: `Settings: ${title}`,
      icon: <SettingsIcon />,
      run: () => void navigate({ to: '/settings', search: { tab } }),
    })),
    ...relativeWindows.map(([last, words]) => ({
      id: last,
      name: `Time range: ${words.toLowerCase()}`,
      icon: <ClockIcon />,
      run: () => void navigate(inWindow(pathname, current, last)),
    })),
    ...(isZoneChosen() ? [zone] : []),
    {
      id: 'theme',
      icon: <ThemeIcon />,
      name: theme === 'dark' ? 'Light theme' : 'Dark theme',
      run: () => set({ theme: theme === 'dark' ? 'light' : 'dark' }),
    },
  ]
  const named = matchesOf(commands, text.trim(), filter)
  return id === '' ? named : [message, ...named]
}

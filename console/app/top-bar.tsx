import { type ReactNode, useState } from 'react'
import { Button } from 'react-aria-components'
import { RefreshIcon } from '../parts/icons.tsx'
import type { WindowSearch } from '../parts/time/time.ts'
import { useKeys } from './keys.tsx'
import { PageHeading } from './page-heading.tsx'
import { places } from './places.tsx'
import { UnreadNotice } from './unread-notice.tsx'
import { WindowPicker } from './window-picker.tsx'

interface TopBarProps {
  readonly title: ReactNode
  /** The link to the list that the page is one of. */
  readonly above?: ReactNode
  readonly window?: WindowSearch
  readonly onWindow?: (window: WindowSearch) => void
  /**
   * Called by the refresh button, and before `onWindow`, because choosing the current time range again also moves its
   * end to now.
   */
  readonly onRefresh?: () => void
  /** Further controls, between the title and the time range. */
  readonly children?: ReactNode
}

/** The title of a page, and the time range where the page has one. */
export function TopBar({ title, above, window, onWindow, onRefresh, children }: TopBarProps) {
  const [isOpen, setOpen] = useState(false)
  useKeys(onWindow === undefined ? {} : { t: () => setOpen(true) })
  return (
    <header className="topbar">
      <PageHeading {...(places.some(({ name }) => name === title) ? { className: 'named-above' } : {})}>
        {above !== undefined && (
          <span className="above">
            {above} <span className="soft">/</span>{' '}
          </span>
        )}
        {title}
      </PageHeading>
      {children}
      {window !== undefined && onWindow !== undefined && (
        <WindowPicker
          value={window}
          onChange={(next) => {
            onRefresh?.()
            onWindow(next)
          }}
          isOpen={isOpen}
          onOpenChange={setOpen}
        />
      )}
      {onRefresh !== undefined && (
        <Button className="button icon" aria-label="Refresh" onPress={onRefresh}>
          <RefreshIcon />
        </Button>
      )}
      <UnreadNotice />
    </header>
  )
}

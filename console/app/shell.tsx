import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { BrandIcon, ThemeIcon } from '../parts/icons.tsx'
import { signOut } from './api.ts'
import { CommandPalette } from './command-palette.tsx'
import { keyList, useKeys } from './keys.tsx'
import { places } from './places.tsx'
import { usePreferences } from './preferences.tsx'
import { isSignedOut, useCaller } from './session.tsx'
import { SignIn } from './sign-in.tsx'

/** What is around every page: the navigation, the palette and the list of keys. Without a session it signs in. */
export function Shell() {
  const caller = useCaller()
  const [dialog, setDialog] = useState<'keys' | 'palette'>()
  useKeys({
    '?': () => setDialog('keys'),
    'Ctrl k': () => setDialog('palette'),
    '/': () => document.querySelector<HTMLInputElement>('[data-first-field] input, input[data-first-field]')?.focus(),
  })
  if (isSignedOut(caller.error)) return <SignIn onRetry={() => void caller.refetch()} />
  return (
    <div className="shell">
      <nav className="navigation" aria-label="Pages">
        <Link to="/" className="brand">
          <BrandIcon /> Tracefold
        </Link>
        {places.map(({ to, name, icon }) => (
          <Link key={to} to={to} className="place" activeOptions={{ exact: to === '/', includeSearch: false }}>
            {icon} {name}
          </Link>
        ))}
        <div className="end">
          {caller.data !== undefined && (
            <span>
              {caller.data.subject} · {caller.data.role}
              <span className="org">
                <br />
                {caller.data.org}
              </span>
            </span>
          )}
          <ThemeButton />
          <Button className="button bare" onPress={() => setDialog('keys')}>
            Keys <kbd>?</kbd>
          </Button>
          <Button className="button bare" onPress={() => void signOut().then(() => caller.refetch())}>
            Sign out
          </Button>
        </div>
      </nav>
      <Outlet />
      <ModalOverlay
        className="dialog-shade"
        isDismissable
        isOpen={dialog !== undefined}
        onOpenChange={(isOpen) => !isOpen && setDialog(undefined)}
      >
        <Modal className="dialog">
          <Dialog aria-label={dialog === 'keys' ? 'Keys' : 'Command palette'}>
            {dialog === 'keys' ? <Keys /> : <CommandPalette onDone={() => setDialog(undefined)} />}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </div>
  )
}

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const

function ThemeButton() {
  const { theme, set } = usePreferences()
  return (
    <Button className="button bare" onPress={() => set({ theme: nextTheme[theme] })}>
      <ThemeIcon /> Theme: {theme}
    </Button>
  )
}

function Keys() {
  return (
    <>
      <h2>Keys</h2>
      <dl className="keys">
        {keyList.map(([key, meaning]) => (
          <div key={key} className="key">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

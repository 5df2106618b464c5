import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { Button, Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { Fault } from '../parts/answers/fault.tsx'
import { WaitingList } from '../parts/answers/list-states.tsx'
import { ThemeIcon } from '../parts/icons.tsx'
import { useSingleMutation } from '../parts/records/single-mutation.ts'
import { isZoneChosen, zoneName } from '../parts/time/time.ts'
import { signOut } from './api.ts'
import { CommandPalette } from './command-palette.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { keyList, useKeys } from './keys.tsx'
import { Navigation } from './navigation.tsx'
import { OtherPerson } from './other-person.tsx'
import { useFocusOfPages } from './page-heading.tsx'
import { usePlaceOfViewers } from './places.tsx'
import { usePreferences } from './preferences.tsx'
import { answers, type Caller, callerKey, isSignedOut, seesSame, useCaller } from './session.tsx'
import { SignIn } from './sign-in.tsx'
import { SignOut } from './sign-out.tsx'
import { SlowQueries } from './slow-queries.tsx'
import { TopBar } from './top-bar.tsx'

/**
 * The frame of every page: the navigation, the palette and the list of keys. Without a session it shows the sign-in.
 * When a session ends, the page stays mounted under the sign-in, with everything that was typed into it.
 */
export function Shell() {
  const { caller, person, before, forgetBefore, retry, leave } = useSession()
  const [dialog, setDialog] = useState<'keys' | 'palette'>()
  const isOut = isSignedOut(caller.error)
  const keys = {
    '?': () => setDialog('keys'),
    'Ctrl k': () => setDialog('palette'),
    '/': () => document.querySelector<HTMLInputElement>('[data-first-field] input, input[data-first-field]')?.focus(),
  }
  useKeys(isOut ? {} : keys)
  useFocusOfPages()
  useKeptFocus()
  if (isOut && caller.data === undefined) return <SignIn onRetry={retry} />
  return (
    <div className="shell">
      <SignInAgain isOpen={isOut} caller={caller.data} onRetry={retry} />
      <Button className="button skip" onPress={skipToPage}>
        Skip to the page
      </Button>
      <Navigation role={caller.data?.role}>
        <Who caller={caller.data} />
        <ThemeButton />
        <ZoneButton />
        <Button className="button bare" onPress={() => setDialog('keys')}>
          Keys <kbd>?</kbd>
        </Button>
        <SignOut leave={leave} />
      </Navigation>
      {before !== undefined && caller.data !== undefined && (
        <OtherPerson before={before} now={caller.data} onClose={forgetBefore} />
      )}
      <Fragment key={person}>
        <Page caller={caller} />
      </Fragment>
      <SlowQueries />
      {/* `announce` writes into it. Its second attribute keeps React Aria from hiding it while a dialog is open. */}
      <p className="visually-hidden" role="status" data-announcements data-live-announcer />
      <ShellDialog dialog={isOut ? undefined : dialog} onClose={() => setDialog(undefined)} />
    </div>
  )
}

/**
 * The current page. What it offers depends on the role, so it is shown once the role is known, and nothing moves or
 * disappears after that. Only the messages do not wait, because every role may search them. A page that the role may
 * not see sends no requests and says so.
 */
function Page({ caller }: { readonly caller: ReturnType<typeof useCaller> }) {
  const place = usePlaceOfViewers()
  const { pathname } = useLocation()
  const { data, error, refetch } = caller
  if (data === undefined && (error !== null || pathname !== '/')) {
    return (
      <>
        <header className="topbar" />
        <main className="page">
          {error === null ? (
            <WaitingList words="Loading the page" />
          ) : (
            <Fault error={error} retry={() => void refetch()} />
          )}
        </main>
      </>
    )
  }
  if (place === undefined || data?.role !== 'restricted') return <Outlet />
  return (
    <>
      <TopBar title={place.name} />
      <main className="page">
        <p className="notice" role="status">
          {place.name} are not visible to the role restricted. You need the viewer role.
        </p>
      </main>
    </>
  )
}

/** Who is signed in. The lines have their place before that is known; long names are cut, and whole in the tooltip. */
function Who({ caller }: { readonly caller: Caller | undefined }) {
  const person = caller === undefined ? '' : `${caller.subject} · ${caller.role}`
  return (
    <span className="who">
      <span title={person}>{person}</span>
      <span title={caller?.org}>{caller?.org}</span>
    </span>
  )
}

type SignInAgainProps = Parameters<typeof SignIn>[0] & { readonly isOpen: boolean }

/** The sign-in above a page whose session has ended. */
function SignInAgain({ isOpen, ...props }: SignInAgainProps) {
  return (
    <ModalOverlay className="sign-in-shade" isOpen={isOpen} isKeyboardDismissDisabled>
      <Modal>
        <Dialog aria-label="Sign in">
          <SignIn {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface ShellDialogProps {
  readonly dialog: 'keys' | 'palette' | undefined
  readonly onClose: () => void
}

function ShellDialog({ dialog, onClose }: ShellDialogProps) {
  // The text is stored here so that it survives a sign-in, which replaces the palette while it is shown.
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  return (
    <ModalOverlay
      className="dialog-shade"
      isDismissable
      isOpen={dialog !== undefined}
      onOpenChange={(isOpen) => !isOpen && close()}
    >
      <Modal className="dialog">
        <Dialog aria-label={dialog === 'keys' ? 'Keys' : 'Command palette'}>
          {dialog === 'keys' ? <Keys /> : <CommandPalette text={text} onText={setText} onDone={close} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Moves the focus past the navigation. */
function skipToPage() {
  const main = document.querySelector('main')
  main?.setAttribute('tabindex', '-1')
  main?.focus()
}

interface KnownCaller {
  readonly caller: Caller | undefined
  /** The caller that the page showed before the person or the role changed, until that was acknowledged. */
  readonly before?: Caller | undefined
  readonly person: number
}

/** Returns who is signed in, and reacts to a change of it. `person` changes when the page must be mounted again. */
function useSession() {
  const client = useQueryClient()
  const caller = useCaller()
  const [known, setKnown] = useState<KnownCaller>({ caller: caller.data, person: 0 })
  if (caller.data !== undefined && caller.data !== known.caller) {
    const isKept = known.caller === undefined || seesSame(known.caller, caller.data)
    setKnown({ caller: caller.data, before: known.caller, person: known.person + (isKept ? 0 : 1) })
  }
  const leave = useSingleMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await client.resetQueries({ queryKey: callerKey })
      client.removeQueries(answers)
      // The next person to sign in replaces nobody, so no notice is shown.
      setKnown({ caller: undefined, person: known.person })
    },
  })
  return {
    caller,
    person: known.person,
    before: known.before,
    forgetBefore: () => setKnown({ caller: known.caller, person: known.person }),
    retry: async () => (await caller.refetch()).isSuccess,
    leave,
  }
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

/** Shows the time zone of all times, and switches to the other one. */
function ZoneButton() {
  const { isUtc, set } = usePreferences()
  const zone = zoneName(isUtc)
  return (
    <Button className="button bare zone" isDisabled={!isZoneChosen()} onPress={() => set({ isUtc: !isUtc })}>
      <span title={zone}>Times: {zone}</span>
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

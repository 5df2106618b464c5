import { useState } from 'react'
import { Button } from 'react-aria-components'
import { CopyButton } from '../parts/copy-button.tsx'
import { BrandIcon } from '../parts/icons.tsx'
import { loginCommand } from './login-command.ts'
import { PageHeading } from './page-heading.tsx'
import type { Caller } from './session.tsx'

const faults: Readonly<Record<string, string>> = {
  expired: 'This link has expired: a link is valid for ten minutes.',
  used: 'This link has been used: a link signs in once.',
  invalid: 'This link is not from this server. Was it copied completely, and created with the same DATA_DIR?',
}

const faultsAtIssuer: Readonly<Record<string, string>> = {
  expired: 'Signing in took longer than ten minutes, or began in another browser. Try again.',
  used: 'This sign-in has been used. Try again.',
  unavailable: 'The sign-in of your organization cannot be reached. Try again later.',
  refused: 'The sign-in of your organization did not confirm who you are. Try again, or ask an administrator.',
  claims: 'You have no access here yet: an administrator must give you an organization and a role.',
}

/** Reads how people sign in from the page, where the server has written it. */
function isAtIssuer(): boolean {
  return document.querySelector('meta[name="sign-in"]')?.getAttribute('content') === 'issuer'
}

/** Redirects to the issuer, which redirects back to the current page. */
function signInAtIssuer(): void {
  const page = location.href.slice(new URL('.', document.baseURI).href.length)
  const isPage = page !== '' && !page.startsWith('sign-in')
  location.assign(new URL(isPage ? `login?return=${encodeURIComponent(page)}` : 'login', document.baseURI))
}

interface SignInProps {
  /** The caller whose session has ended; undefined if that is not known. */
  readonly caller?: Caller | undefined
  /** Checks whether there is a session by now. */
  readonly onRetry: () => Promise<boolean>
}

/** Shown to a browser without a session. The address stays, so that signing in leads back to it. */
export function SignIn({ caller, onRetry }: SignInProps) {
  const atIssuer = isAtIssuer()
  const fault = (atIssuer ? faultsAtIssuer : faults)[new URLSearchParams(location.search).get('fault') ?? '']
  const why = whySignIn(caller)
  return (
    <main className="card centered">
      <PageHeading>
        <BrandIcon /> Sign in
      </PageHeading>
      {fault !== undefined && (
        <p className="notice fault" role="alert">
          {fault}
        </p>
      )}
      {atIssuer ? <AtIssuer why={why} /> : <ByLink why={why} caller={caller} onRetry={onRetry} />}
    </main>
  )
}

/** Says that nobody is signed in: `caller` was, until just now. */
function whySignIn(caller: Caller | undefined): string {
  if (caller === undefined) return 'You are not signed in, or the session has ended.'
  return `The session of ${caller.subject} in ${caller.org} has ended.`
}

interface WhyProps {
  readonly why: string
}

function AtIssuer({ why }: WhyProps) {
  return (
    <>
      <p>{why} After signing in, you return to this page.</p>
      <div>
        <Button className="button primary" onPress={signInAtIssuer}>
          Sign in
        </Button>
      </div>
    </>
  )
}

function ByLink({ why, caller, onRetry }: SignInProps & WhyProps) {
  // For the same person if it is known who that was.
  const command = loginCommand({ org: 'acme', role: 'admin', subject: undefined, ...caller })
  const [isStillOut, setStillOut] = useState(false)
  return (
    <>
      <p>{why} On the server’s machine, create a link and open it here:</p>
      <div className="copied-text">
        <pre>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p className="soft">
        The role can be viewer, contributor, admin or restricted. After opening the link in another tab, continue here:
        this page is kept.
      </p>
      <div className="field-line">
        <Button
          className="button primary"
          onPress={() => {
            setStillOut(false)
            void onRetry().then((isIn) => setStillOut(!isIn))
          }}
        >
          Continue
        </Button>
        {isStillOut && <span role="status">This browser is not signed in yet: open the link first.</span>}
      </div>
    </>
  )
}

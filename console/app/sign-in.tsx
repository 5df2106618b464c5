import { Button } from 'react-aria-components'
import { CopyButton } from '../parts/copy-button.tsx'
import { BrandIcon } from '../parts/icons.tsx'

const command = 'npx tracefold login-link --org acme --role admin'

const faults: Readonly<Record<string, string>> = {
  expired: 'This link has expired: a link is valid for ten minutes.',
  used: 'This link has been used: a link signs in once.',
  invalid: 'This link is not one of this server. Was it copied whole, and made with the same DATA_DIR?',
}

/** Shown to a browser without a session. The address stays, so that signing in leads back to it. */
export function SignIn({ onRetry }: { readonly onRetry: () => void }) {
  const fault = faults[new URLSearchParams(location.search).get('fault') ?? '']
  return (
    <main className="card centered">
      <h1>
        <BrandIcon /> Sign in
      </h1>
      {fault !== undefined && (
        <p className="notice fault" role="alert">
          {fault}
        </p>
      )}
      <p>
        You are not signed in, or the session has ended. On the machine of the server, make a link and open it here:
      </p>
      <div className="copied-text">
        <pre>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p className="soft">
        The role can be viewer, contributor, admin or restricted. After opening the link in another tab, continue here:
        this page is kept.
      </p>
      <div>
        <Button className="button primary" onPress={onRetry}>
          Continue
        </Button>
      </div>
    </main>
  )
}

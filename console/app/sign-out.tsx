import { useState } from 'react'
import { Button } from 'react-aria-components'
import { ModalDialog } from '../parts/dialog.tsx'
import { Fault } from '../parts/fault.tsx'
import { working } from '../parts/working.ts'

interface SignOutProps {
  readonly leave: {
    readonly mutate: () => void
    readonly reset: () => void
    readonly isPending: boolean
    readonly error: Error | null
  }
}

/** Ends the session, after a question if that loses what the page holds. */
export function SignOut({ leave }: SignOutProps) {
  const [isAsking, setAsking] = useState(false)
  const stay = () => setAsking(false)
  return (
    <>
      <Button
        className="button bare"
        onPress={() => (losesEdits() ? setAsking(true) : leave.mutate())}
        {...working(leave.isPending)}
      >
        Sign out
      </Button>
      {isAsking && (
        <ModalDialog title="Sign out without saving?" onClose={stay}>
          <p>Something on this page is not saved, or is shown once and was not copied.</p>
          <div className="dialog-actions">
            <Button
              className="button danger"
              onPress={() => {
                stay()
                leave.mutate()
              }}
            >
              Sign out
            </Button>
            <Button className="button primary" autoFocus onPress={stay}>
              Stay
            </Button>
          </div>
        </ModalDialog>
      )}
      {leave.error !== null && (
        <ModalDialog title="Could not sign out" onClose={leave.reset}>
          <Fault error={leave.error} retry={() => leave.mutate()} />
        </ModalDialog>
      )}
    </>
  )
}

/** Asks the page what a browser asks it before a reload. */
function losesEdits(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

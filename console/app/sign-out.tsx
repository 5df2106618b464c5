import { useState } from 'react'
import { Button } from 'react-aria-components'
import { Fault } from '../parts/answers/fault.tsx'
import { ModalDialog } from '../parts/forms/dialog.tsx'
import { LeaveDialog } from '../parts/records/leave-dialog.tsx'
import { working } from '../parts/working.ts'

const words = {
  title: 'Sign out without saving?',
  text: 'Something on this page is not saved, or is shown once and was not copied.',
  leave: 'Sign out',
}

interface SignOutProps {
  readonly leave: {
    readonly mutate: () => void
    readonly reset: () => void
    readonly isPending: boolean
    readonly error: Error | null
  }
}

/** Ends the session. If edits of the page would be lost, it asks first. */
export function SignOut({ leave }: SignOutProps) {
  const [isAsking, setAsking] = useState(false)
  const stay = () => setAsking(false)
  const leaveAnyway = () => {
    stay()
    leave.mutate()
  }
  return (
    <>
      <Button
        className="button bare"
        onPress={() => (losesEdits() ? setAsking(true) : leave.mutate())}
        {...working(leave.isPending)}
      >
        Sign out
      </Button>
      {isAsking && <LeaveDialog words={words} onLeave={leaveAnyway} onStay={stay} />}
      {leave.error !== null && (
        <ModalDialog title="Could not sign out" onClose={leave.reset}>
          <Fault error={leave.error} retry={() => leave.mutate()} />
        </ModalDialog>
      )}
    </>
  )
}

/** Reports whether the page has unsaved edits, by the event that a browser sends before a reload. */
function losesEdits(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

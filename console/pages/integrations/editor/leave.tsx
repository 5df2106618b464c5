import { useBlocker } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { ModalDialog } from '../../../parts/dialog.tsx'

interface LeaveProps {
  readonly isEdited: boolean
  /** Pages that may be opened without a question, because edits are kept there. */
  readonly isKept: (path: string) => boolean
  readonly onDiscard: () => void
}

/** Asks before unsaved edits are left. */
export function Leave({ isEdited, isKept, onDiscard }: LeaveProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isEdited && next.pathname !== current.pathname && !isKept(next.pathname),
    enableBeforeUnload: () => isEdited,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ModalDialog title="Leave without saving?" onClose={blocker.reset}>
      <p>This integration has changes that are not saved.</p>
      <div className="dialog-actions">
        <Button
          className="button danger"
          onPress={() => {
            onDiscard()
            blocker.proceed()
          }}
        >
          Discard changes
        </Button>
        <Button className="button primary" autoFocus onPress={blocker.reset}>
          Stay
        </Button>
      </div>
    </ModalDialog>
  )
}

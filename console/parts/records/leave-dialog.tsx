import { Button } from 'react-aria-components'
import { ModalDialog } from '../forms/dialog.tsx'

export interface LeaveWords {
  readonly title: string
  readonly text: string
  /** The label of the button that leaves. */
  readonly leave: string
}

interface LeaveDialogProps {
  readonly words: LeaveWords
  readonly onLeave: () => void
  readonly onStay: () => void
}

/** Asks whether to discard the unsaved content of the page. */
export function LeaveDialog({ words, onLeave, onStay }: LeaveDialogProps) {
  return (
    <ModalDialog title={words.title} onClose={onStay}>
      <p>{words.text}</p>
      <div className="dialog-actions">
        <Button className="button danger" onPress={onLeave}>
          {words.leave}
        </Button>
        <Button className="button primary" autoFocus onPress={onStay}>
          Stay
        </Button>
      </div>
    </ModalDialog>
  )
}

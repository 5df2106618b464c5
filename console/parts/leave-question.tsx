import { useBlocker } from '@tanstack/react-router'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

interface LeaveQuestionProps {
  readonly isEdited: boolean
  /** Forgets the edits, when the page is left without saving. */
  readonly onDiscard: () => void
}

/** Asks before a page with unsaved edits is left. Another part of the same page may be shown without a question. */
export function LeaveQuestion({ isEdited, onDiscard }: LeaveQuestionProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isEdited && current.pathname !== next.pathname,
    enableBeforeUnload: () => isEdited,
    withResolver: true,
  })
  return (
    <ModalOverlay className="dialog-shade" isOpen={status === 'blocked'} onOpenChange={() => reset?.()} isDismissable>
      <Modal className="dialog">
        <Dialog>
          <Heading slot="title">Leave without saving?</Heading>
          <p>What you changed here is not saved.</p>
          <div className="dialog-actions">
            <Button
              className="button danger"
              onPress={() => {
                onDiscard()
                proceed?.()
              }}
            >
              Leave and discard
            </Button>
            <Button className="button primary" autoFocus onPress={() => reset?.()}>
              Stay
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

interface ModalDialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A dialog above the page while it is mounted. Escape or a click beside it closes it. */
export function ModalDialog({ title, onClose, isWide = false, children }: ModalDialogProps) {
  return (
    <ModalOverlay className="dialog-shade" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className={isWide ? 'dialog wide' : 'dialog'}>
        <Dialog className="modal-dialog">
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

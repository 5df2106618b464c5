import { useState } from 'react'
import { Button } from 'react-aria-components'
import { working } from '../working.ts'

interface DeleteButtonProps {
  /** The name of the record for screen readers: `the rule 3`. */
  readonly noun: string
  /** The question to confirm, which says what it means for others: `Delete it for everybody?` */
  readonly question: string
  readonly isPending: boolean
  readonly onDelete: () => void
}

/** Deletes a record after a question that replaces the button. */
export function DeleteButton({ noun, question, isPending, onDelete }: DeleteButtonProps) {
  const [isAsking, setAsking] = useState(false)
  // After the question, the focus returns to the button that opened it.
  const [wasOpen, setWasOpen] = useState(false)
  if (!isAsking) {
    return (
      <Button
        className="button bare"
        aria-label={`Delete ${noun}`}
        autoFocus={wasOpen}
        onPress={() => {
          setAsking(true)
          setWasOpen(true)
        }}
        {...working(isPending)}
      >
        Delete
      </Button>
    )
  }
  return (
    <span className="delete-question">
      {question}
      <Button
        className="button danger"
        autoFocus
        onPress={() => {
          setAsking(false)
          onDelete()
        }}
        {...working(isPending)}
      >
        Delete {noun}
      </Button>
      <Button className="button" onPress={() => setAsking(false)}>
        Keep it
      </Button>
    </span>
  )
}

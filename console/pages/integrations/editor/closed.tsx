/**
 * In long lists, services and rules are collapsed to lines that expand to their fields, because fields are slow to
 * render.
 */
import { type ReactNode, useState } from 'react'
import { Button } from 'react-aria-components'

/** Lists of up to this length show all fields. */
const openMax = 20

interface Opened {
  isOpen(position: number): boolean
  open(position: number): void
  /** Keeps the other elements as they are when one was removed. */
  removed(position: number): void
}

/**
 * Returns which elements of a list are expanded: all of a short one, and those of a long one that a person has
 * expanded.
 */
export function useOpened(length: number): Opened {
  const [opened, setOpened] = useState<readonly number[]>([])
  return {
    isOpen: (position) => length <= openMax || opened.includes(position),
    open: (position) => setOpened([...opened, position]),
    removed: (position) =>
      setOpened(opened.filter((each) => each !== position).map((each) => (each > position ? each - 1 : each))),
  }
}

interface ClosedLineProps {
  /** The name of the element, such as `service 3`. */
  readonly name: string
  readonly onOpen: () => void
  readonly children: ReactNode
}

export function ClosedLine({ name, onOpen, children }: ClosedLineProps) {
  return (
    <div className="closed-line">
      <span>{children}</span>
      <Button className="button" aria-label={`Edit ${name}`} onPress={onOpen}>
        Edit
      </Button>
    </div>
  )
}

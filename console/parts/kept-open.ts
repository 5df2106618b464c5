import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

/** The lines that were expanded or collapsed, by the key of the history entry and the id of the line. */
const opened = new Map<string, boolean>()

/**
 * Returns whether a line of a list is expanded, and the function that changes it. Going back to the list restores it.
 */
export function useKeptOpen(id: string, isOpenAtFirst = false): readonly [boolean, (isOpen: boolean) => void] {
  const key = useLocation({ select: ({ state }) => `${state.__TSR_key} ${id}` })
  const [isOpen, setOpen] = useState(opened.get(key) ?? isOpenAtFirst)
  return [
    isOpen,
    (next) => {
      opened.set(key, next)
      setOpen(next)
    },
  ]
}

import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

/** Which lines were opened or closed, by the key of the place in the history and the id of the line. */
const opened = new Map<string, boolean>()

/** Whether a line of a list is open, and what opens it. After going back to the list, it is as it was left. */
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

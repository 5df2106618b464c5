import { useEffect, useRef } from 'react'

/** The keyboard shortcuts in the list that `?` shows. Pages bind theirs with `useKeys`. */
export const keyList: readonly (readonly [key: string, meaning: string])[] = [
  ['Ctrl K', 'Open the command palette'],
  ['?', 'Show these keys'],
  ['/', 'Go to the first condition, or find in a message'],
  ['t', 'Change the time range'],
  ['n', 'Next matched step of a message'],
  ['p', 'Previous matched step of a message'],
  ['↑ ↓', 'Previous or next step of a message'],
  ['← →', 'Collapse or expand a step of a message, or go to the one above or below it; walk a chart'],
  ['⇧ ← →', 'Select a part of a chart; Enter zooms into it'],
]

/** Elements that are typed into, where keys keep their own meaning. */
const fields = 'input, textarea, select, [contenteditable=true], [role=dialog], [role=listbox], [role=menu]'
/** Elements in which a letter selects the value that begins with it. */
const choices = '[aria-haspopup=listbox]'

/**
 * Returns the pressed key. A letter of another script counts as the Latin one on the same key, and Caps Lock is
 * ignored.
 */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (!/^\p{L}$/u.test(key)) return key
  const latin = /\p{Script=Latin}/u.test(key) ? key : (/^Key([A-Z])$/.exec(code)?.[1] ?? key)
  return shiftKey ? latin : latin.toLowerCase()
}

/** Calls a function when its key is pressed outside of fields and dialogs. */
export function useKeys(bindings: Readonly<Record<string, () => void>>): void {
  const current = useRef(bindings)
  current.current = bindings
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, ctrlKey, metaKey, altKey } = event
      const key = keyOf(event)
      const keepers = /^\p{L}$/u.test(key) ? `${fields}, ${choices}` : fields
      const isField = target instanceof HTMLElement && target.closest(keepers) !== null
      const name = ctrlKey || metaKey ? `Ctrl ${key}` : key
      const action = current.current[name]
      if (action === undefined || altKey || (isField && !ctrlKey && !metaKey)) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

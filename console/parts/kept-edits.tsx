import { useEffect } from 'react'
import { Button } from 'react-aria-components'

/** Returns the edits that the session of the browser keeps under a name, or undefined. */
export function keptEdits<Edits>(key: string): Edits | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as Edits)
  } catch {
    return undefined
  }
}

/**
 * Keeps edits in the session of the browser, so that a reload or an expired session loses nothing. Without edits it
 * forgets those it kept.
 * @param key names what is edited, the person and the organization
 */
export function useKeptEdits<Edits>(key: string, edits: Edits | undefined): void {
  const text = edits === undefined ? undefined : JSON.stringify(edits)
  useEffect(() => {
    if (text === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  }, [key, text])
}

interface RestoredProps {
  /** What else is to be said about the edits. */
  readonly note?: string | undefined
  readonly onDiscard: () => void
}

/** Says that edits from before are there again. */
export function Restored({ note = '', onDiscard }: RestoredProps) {
  return (
    <div className="notice" role="status">
      Your earlier changes are still here. They are not saved yet. {note}
      <Button className="button" onPress={onDiscard}>
        Discard them
      </Button>
    </div>
  )
}

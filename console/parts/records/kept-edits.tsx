import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import type { Caller } from '../../app/session.tsx'
import { forgetText, keepText, keptText } from '../browser-storage.ts'

/**
 * Returns the key of the edits of one record, which are only for the person who made them, in the same organization.
 */
export function editsKey(kind: 'channel' | 'integration', caller: Caller | undefined, id: string): string {
  return `tracefold.${kind} ${JSON.stringify([caller?.org, caller?.subject, id])}`
}

/**
 * Returns the edits that the session storage of the browser has under a key, or undefined. After an upgrade of the
 * server they may be those of an earlier console, of another shape that no page can show.
 * @param like has every member that edits have, and one element of each list
 */
export function keptEdits<Edits>(key: string, like: Edits): Edits | undefined {
  try {
    const kept: unknown = JSON.parse(keptText('session', key) ?? 'null')
    return isLike(kept, like) ? (kept as Edits) : undefined
  } catch {
    return undefined
  }
}

/** Reports whether a value has all members of another one, of the same types. */
function isLike(value: unknown, like: unknown): boolean {
  if (Array.isArray(like)) {
    return Array.isArray(value) && (like.length === 0 || value.every((each) => isLike(each, like[0])))
  }
  if (typeof like !== 'object' || like === null) return typeof value === typeof like
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(like).every(([key, member]) => isLike((value as Record<string, unknown>)[key], member))
}

/** Stores edits under a key for the page that is opened next. */
export function keepEdits<Edits>(key: string, edits: Edits): void {
  keepText('session', key, JSON.stringify(edits))
}

export function forgetEdits(key: string): void {
  forgetText('session', key)
}

/**
 * Stores edits in the session storage of the browser, so that a reload or an expired session loses nothing. Without
 * edits, stored ones are removed.
 * @param key that `editsKey` returns
 */
export function useKeptEdits<Edits>(key: string, edits: Edits | undefined): void {
  const text = edits === undefined ? undefined : JSON.stringify(edits)
  useEffect(() => {
    if (text === undefined) forgetEdits(key)
    else keepText('session', key, text)
  }, [key, text])
}

interface RestoredProps {
  /** A further note on the edits. */
  readonly note?: string | undefined
  readonly onDiscard: () => void
}

/** Says that earlier edits were restored. */
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

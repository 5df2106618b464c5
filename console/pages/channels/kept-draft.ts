import { useState } from 'react'
import { useCaller } from '../../app/session.tsx'
import { keptEdits } from '../../parts/kept-edits.tsx'
import { emptyChannel, type KeptDraft, keptOf } from './channel-draft.ts'

/**
 * Returns the edits of a channel that were made before the page was opened, and where they are kept. They belong to
 * the person and the organization.
 */
export function useKept(id: string) {
  const caller = useCaller().data
  const key = `tracefold.channel ${caller?.org} ${caller?.subject} ${id}`
  const [restored] = useState(() => keptEdits(key, keptOf(emptyChannel)))
  return { key, restored, forget: () => sessionStorage.removeItem(key) }
}

export function restoredNote({ lacksCredentials }: KeptDraft): string | undefined {
  return lacksCredentials ? 'Credentials are not kept: enter them again.' : undefined
}

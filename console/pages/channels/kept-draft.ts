import { useState } from 'react'
import { useCaller } from '../../app/session.tsx'
import { editsKey, forgetEdits, keepEdits, keptEdits } from '../../parts/records/kept-edits.tsx'
import { emptyChannel, type KeptDraft, keptOf } from './channel-draft.ts'

/**
 * Returns the edits of a channel that were kept when its page was left, and functions that keep and discard them. They
 * belong to the person and the organization.
 * @param id of the channel, or `new`
 */
export function useKept(id: string) {
  const caller = useCaller().data
  const key = editsKey('channel', caller, id)
  const [restored] = useState(() => keptEdits(key, keptOf(emptyChannel)))
  return {
    key,
    restored,
    forget: () => forgetEdits(key),
    /** Keeps the edits of another channel until its page is opened. */
    keep: (channel: string, edits: KeptDraft) => keepEdits(editsKey('channel', caller, channel), edits),
  }
}

export function restoredNote({ lacksCredentials }: KeptDraft): string | undefined {
  return lacksCredentials ? 'Credentials are not kept: enter them again.' : undefined
}

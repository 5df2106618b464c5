import { useState } from 'react'
import { useCaller } from '../../../app/session.tsx'
import { useNewest } from '../../../parts/answers/newest.ts'
import { editsKey, forgetEdits, keepEdits, keptEdits, useKeptEdits } from '../../../parts/records/kept-edits.tsx'
import { type Draft, emptyIntegration, isSame } from './draft.ts'

/** The version that a draft is based on. */
interface Base {
  readonly draft: Draft
  /** The saved version; 0 for a new integration. */
  readonly version: number
}

interface StoredDraft {
  readonly draft: Draft
  readonly base: Base
}

export interface DraftState {
  readonly draft: Draft
  /** The version that the edits are based on, which may be older than the newest. */
  readonly base: Base
  readonly isEdited: boolean
  /** Whether the edits were restored when the page was opened. */
  readonly isRestored: boolean
  readonly set: (draft: Draft) => void
  /** Starts from another version, without edits or with those of a draft. */
  readonly begin: (base: Base, draft?: Draft) => void
  /** Continues from the version that a draft was saved as. Edits that were made meanwhile are kept. */
  readonly saved: (base: Base, sent: Draft) => void
  /** Discards the edits. */
  readonly forget: () => void
  /**
   * Discards the edits of a new integration that was created from `sent`. Those made meanwhile are kept as a change of
   * it.
   */
  readonly created: (id: string, base: Base, sent: Draft | undefined) => void
}

/** Returns a function that keeps edits of an integration until its page is opened. */
export function useKeepDraft(): (id: string, edits: StoredDraft) => void {
  const caller = useCaller().data
  return (id, edits) => keepEdits(editsKey('integration', caller, id), edits)
}

/**
 * Returns the edits of an integration. They are kept in the session storage of the browser, so that a reload, an
 * expired session or a look at another tab of the integration loses nothing.
 * @param id of the integration, or `new`
 */
export function useDraft(id: string, saved: Base): DraftState {
  const key = editsKey('integration', useCaller().data, id)
  const keep = useKeepDraft()
  const [state, setState] = useState(() => {
    const kept = keptEdits<StoredDraft>(key, { draft: emptyIntegration, base: { draft: emptyIntegration, version: 0 } })
    return { isRestored: kept !== undefined, ...(kept ?? { draft: saved.draft, base: saved }) }
  })
  const { draft, base, isRestored } = state
  const newest = useNewest(draft)
  const isEdited = !isSame(draft, base.draft)
  useKeptEdits<StoredDraft>(key, isEdited ? { draft, base } : undefined)
  // Without edits the form follows the stored version, such as one that another person has saved since.
  if (!isEdited && saved.version > base.version) setState({ draft: saved.draft, base: saved, isRestored: false })
  const begin = (next: Base, edited = next.draft) => setState({ draft: edited, base: next, isRestored: false })
  const forget = () => {
    forgetEdits(key)
    begin(base)
  }
  return {
    draft,
    base,
    isEdited,
    isRestored: isRestored && isEdited,
    set: (next) => setState({ draft: next, base, isRestored }),
    begin,
    saved: (next, sent) =>
      setState((now) => ({ draft: now.draft === sent ? next.draft : now.draft, base: next, isRestored: false })),
    forget,
    created(createdId, next, sent) {
      const kept: StoredDraft = { draft: newest(), base: next }
      if (kept.draft !== sent) keep(createdId, kept)
      forget()
    },
  }
}

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCaller, useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { useNewest } from '../../parts/newest.ts'
import type { TimeWindow } from '../../parts/time.ts'
import { emptyIntegration, toDraft } from './editor/draft.ts'
import { Editor } from './editor/editor.tsx'
import { keepDraft, useDraft } from './editor/use-draft.ts'
import { useWindow } from './integration-frame.tsx'

/** Makes an integration. */
export function NewIntegrationPage() {
  const search = useSearch({ from: '/integrations/new' })
  const navigate = useNavigate({ from: '/integrations/new' })
  const { window, refresh } = useWindow(search)
  const caller = useCaller().data
  const mayWrite = useMayWrite()
  return (
    <>
      <TopBar
        above={
          <Link to="/integrations" search={search}>
            Integrations
          </Link>
        }
        title="New integration"
        window={search}
        onRefresh={refresh}
        onWindow={(window) => navigate({ search: window })}
      />
      {caller !== undefined && !mayWrite && (
        <main className="page">
          <p className="notice">
            You need the contributor role to create integrations.{' '}
            <Link to="/integrations" search={search}>
              All integrations
            </Link>
          </p>
        </main>
      )}
      {caller !== undefined && mayWrite && <NewEditor draftKey={`${caller.org} ${caller.subject}`} window={window} />}
    </>
  )
}

interface NewEditorProps {
  readonly draftKey: string
  readonly window: TimeWindow
}

function NewEditor({ draftKey, window }: NewEditorProps) {
  const search = useSearch({ from: '/integrations/new' })
  const navigate = useNavigate({ from: '/integrations/new' })
  const keyOf = (id: string) => `tracefold.integration ${draftKey} ${id}`
  const state = useDraft(keyOf('new'), { draft: emptyIntegration, version: 0 })
  const newest = useNewest(state.draft)
  return (
    <Editor
      id={undefined}
      state={state}
      window={window}
      onSaved={(saved, sent) => {
        const { id, version } = saved
        // What was typed while it was created stays, as a change of it.
        if (newest() !== sent) keepDraft(keyOf(id), { draft: newest(), base: { draft: toDraft(saved), version } })
        state.forget()
        void navigate({ to: '/integrations/$id', params: { id }, search, ignoreBlocker: true })
      }}
    />
  )
}

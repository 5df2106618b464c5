import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCaller, useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { announce } from '../../parts/announce.ts'
import type { TimeWindow } from '../../parts/time/time.ts'
import { UpLink } from '../../parts/up-link.tsx'
import { emptyIntegration, toDraft } from './editor/draft.ts'
import { Editor } from './editor/editor.tsx'
import { useDraft } from './editor/use-draft.ts'
import { useWindow } from './integration-frame.tsx'

/** Creates an integration. */
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
          <UpLink to="/integrations" search={search}>
            Integrations
          </UpLink>
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
            <UpLink to="/integrations" search={search}>
              All integrations
            </UpLink>
          </p>
        </main>
      )}
      {caller !== undefined && mayWrite && <NewEditor window={window} />}
    </>
  )
}

function NewEditor({ window }: { readonly window: TimeWindow }) {
  const search = useSearch({ from: '/integrations/new' })
  const navigate = useNavigate({ from: '/integrations/new' })
  const state = useDraft('new', { draft: emptyIntegration, version: 0 })
  return (
    <Editor
      id={undefined}
      state={state}
      window={window}
      onSaved={(saved, sent) => {
        state.created(saved.id, { draft: toDraft(saved), version: saved.version }, sent)
        announce(`${saved.name} was created.`)
        void navigate({ to: '/integrations/$id', params: { id: saved.id }, search, ignoreBlocker: true })
      }}
    />
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCaller, useMayWrite } from '../../app/session.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { Deleted } from '../../parts/records/deleted.tsx'
import { showStored } from '../../parts/records/stored.ts'
import type { TimeWindow } from '../../parts/time/time.ts'
import { type Integration, toDraft, toMatchers } from './editor/draft.ts'
import { Editor } from './editor/editor.tsx'
import { likelyRule, RuleSummary } from './editor/rule-editor.tsx'
import { Totals } from './editor/totals.tsx'
import { useDraft } from './editor/use-draft.ts'
import { IntegrationFrame } from './integration-frame.tsx'
import { useIntegrationPreview } from './integration-query.ts'

/** Shows the services and rules of an integration, as a form for callers who may change them. */
export function ServicesTab() {
  const { id } = useParams({ from: '/integrations/$id' })
  const search = useSearch({ from: '/integrations/$id' })
  const navigate = useNavigate({ from: '/integrations/$id' })
  const mayWrite = useMayWrite()
  const isKnown = useCaller().data !== undefined
  return (
    <IntegrationFrame
      id={id}
      search={search}
      onWindow={(window) => navigate({ search: window })}
      staysIfGone={mayWrite}
    >
      {(integration, window, isGone) =>
        isKnown &&
        (mayWrite ? (
          <SavedEditor key={id} integration={integration} window={window} isGone={isGone} />
        ) : (
          <Rules integration={integration} window={window} />
        ))
      }
    </IntegrationFrame>
  )
}

interface ServicesProps {
  readonly integration: Integration
  readonly window: TimeWindow
}

function SavedEditor({ integration, window, isGone }: ServicesProps & { readonly isGone: boolean }) {
  const navigate = useNavigate({ from: '/integrations/$id' })
  const client = useQueryClient()
  const state = useDraft(integration.id, { draft: toDraft(integration), version: integration.version })
  return (
    <Editor
      id={isGone ? undefined : integration.id}
      state={state}
      window={window}
      onSaved={(saved, sent) => {
        const base = { draft: toDraft(saved), version: saved.version }
        if (isGone) {
          state.created(saved.id, base, sent)
          void navigate({ params: { id: saved.id }, search: true, ignoreBlocker: true })
          return
        }
        // The saved version may also be that of another person, which replaced the edits.
        showStored(client, ['integration', saved.id], saved)
        if (sent === undefined) state.begin(base)
        else state.saved(base, sent)
      }}
    >
      {isGone && <Deleted noun="integration">What you see here is no longer stored. You can create it again.</Deleted>}
    </Editor>
  )
}

/** The rules in words, for callers who cannot change them. */
function Rules({ integration, window }: ServicesProps) {
  const draft = toDraft(integration)
  const preview = useIntegrationPreview(draft, toMatchers(draft, true), window)
  const services = draft.services.map(({ service }) => service)
  const isWaiting = preview.data === undefined && preview.error === null
  return (
    <main className="page">
      <section className="card text-fields" aria-label="Rules">
        {integration.description !== '' && <p>{integration.description}</p>}
        <p>
          {draft.ruleMatch === 'any' ? 'Any of these rules matches.' : 'All of these rules match.'}{' '}
          <span className="soft">You need the contributor role to change integrations.</span>
        </p>
        {preview.error !== null && <Fault error={preview.error} retry={() => void preview.refetch()} />}
        <ol className="read-rules">
          {(preview.data?.rules ?? []).map((counts) => (
            <li key={counts.match_group}>
              <RuleSummary counts={counts} isStale={preview.isPlaceholderData} likely="" />
            </li>
          ))}
          {isWaiting &&
            draft.services.flatMap(({ service, rules }) =>
              rules.map((rule, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a rule of a draft has no other identity
                <li key={`${service} ${at}`}>
                  <RuleSummary counts={undefined} isStale likely={likelyRule(service, rule)} />
                </li>
              )),
            )}
        </ol>
      </section>
      <section className="card side-card">
        <h2>Selected</h2>
        <Totals counts={preview.data} isStale={preview.isPlaceholderData} expected={services} />
      </section>
    </main>
  )
}

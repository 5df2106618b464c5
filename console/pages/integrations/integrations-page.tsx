import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { windowSearchOf } from '../../app/search.ts'
import { isSignedOut, useIsRestricted, useMayWrite } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { allIntegrations } from '../../parts/answers/all-integrations.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { useShownRecords } from '../../parts/answers/shown.tsx'
import { countedOf } from '../../parts/counted.ts'
import { FindField } from '../../parts/forms/find-field.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import type { Integration } from './editor/draft.ts'
import { useWindow } from './integration-frame.tsx'
import { IntegrationTable } from './integration-table.tsx'

/** The number of integrations that are shown at first. Their counts are read when they are shown. */
const shownStep = 50

/** Lists the integrations with their counts over the time range. */
export function IntegrationsPage() {
  const search = useSearch({ from: '/integrations' })
  const navigate = useNavigate({ from: '/integrations' })
  const { window, refresh } = useWindow(search)
  const integrations = useQuery(allIntegrations)
  const mayWrite = useMayWrite()
  const { find = '' } = search
  return (
    <>
      <TopBar
        title="Integrations"
        window={search}
        onRefresh={() => {
          refresh()
          void integrations.refetch()
        }}
        onWindow={(next) => navigate({ search: { ...(find === '' ? {} : { find }), ...next } })}
      >
        {mayWrite && (
          <Link className="button-link primary" to="/integrations/new" search={windowSearchOf(search)}>
            <AddIcon /> New integration
          </Link>
        )}
      </TopBar>
      <main className="page">
        <FindField
          className="list-search"
          label="Find an integration"
          placeholder="Find by name, description or service"
          value={find}
          onChange={(text) => {
            const { find: _, ...rest } = search
            navigate({ search: text === '' ? rest : { ...rest, find: text }, replace: true })
          }}
        />
        {integrations.error !== null && !isSignedOut(integrations.error) && (
          <Fault error={integrations.error} retry={() => void integrations.refetch()} />
        )}
        {integrations.isPending && <Waiting className="list-waiting" words="Loading the integrations" />}
        {integrations.data !== undefined && (
          <Found key={find} all={integrations.data} find={find} search={search} window={window} mayWrite={mayWrite} />
        )}
      </main>
    </>
  )
}

interface FoundProps extends Omit<Parameters<typeof IntegrationTable>[0], 'integrations'> {
  readonly all: readonly Integration[]
  readonly find: string
  readonly mayWrite: boolean
}

function Found({ all, find, search, window, mayWrite }: FoundProps) {
  const none = useIsRestricted() ? 'No integration is granted to you' : 'No integrations yet'
  const found = all.filter((integration) => textOf(integration).includes(find.toLowerCase()))
  const { shown, more } = useShownRecords(found, shownStep)
  if (all.length === 0) {
    return (
      <div className="card empty-list">
        <h2>{none}</h2>
        <p className="soft">An integration is a named part of the traffic, selected by rules.</p>
        {mayWrite && (
          <Link to="/integrations/new" search={windowSearchOf(search)}>
            Add the first integration
          </Link>
        )}
      </div>
    )
  }
  if (found.length === 0)
    return <p className="notice">No integration has “{find}” in its name, description or services.</p>
  return (
    <>
      <IntegrationTable integrations={shown} search={search} window={window} />
      <p className="soft" role="status">
        {countedOf(found.length, all.length, 'integration')}
      </p>
      {more}
    </>
  )
}

function textOf({ name, description, matchers }: Integration): string {
  return [name, description, ...matchers.map(({ service }) => service)].join('\n').toLowerCase()
}

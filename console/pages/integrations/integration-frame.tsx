import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isUnknownRecord } from '../../app/api.ts'
import { windowSearchOf } from '../../app/search.ts'
import { isSignedOut, useCaller } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { type TimeWindow, type WindowSearch, windowAt } from '../../parts/time/time.ts'
import { useWindowEnd } from '../../parts/time/window-end.ts'
import { UpLink } from '../../parts/up-link.tsx'
import type { Integration } from './editor/draft.ts'
import { FlagMarks } from './flag-marks.tsx'
import { IntegrationMenu } from './integration-menu.tsx'
import { useIntegration } from './integration-query.ts'

interface IntegrationFrameProps {
  readonly id: string
  readonly search: WindowSearch
  readonly onWindow?: (window: WindowSearch) => void
  /** `isGone` says whether another person has deleted the integration since the page was opened. */
  readonly children: (integration: Integration, window: TimeWindow, isGone: boolean) => ReactNode
  /** Whether the page stays after the integration was deleted, for example because it has edits. */
  readonly staysIfGone?: boolean
}

/** The common part of the pages of one integration: its name, its tabs and its actions. */
export function IntegrationFrame({ id, search, onWindow, children, staysIfGone = false }: IntegrationFrameProps) {
  const integration = useIntegration(id)
  const { window, refresh } = useWindow(search)
  const { data, error } = integration
  const isKept = staysIfGone && data !== undefined && isUnknownRecord(error)
  return (
    <>
      <div>
        <TopBar
          above={
            <UpLink to="/integrations" search={windowSearchOf(search)}>
              Integrations
            </UpLink>
          }
          title={data?.name ?? 'Integration'}
          {...(onWindow === undefined ? {} : { window: search, onWindow, onRefresh: refresh })}
        >
          {data !== undefined && error === null && <FlagMarks flags={data.flags} />}
          {data !== undefined && error === null && <IntegrationMenu integration={data} search={search} />}
        </TopBar>
        <Tabs id={id} search={search} />
      </div>
      {error !== null && !isSignedOut(error) && !isKept && (
        <main className="page">
          {isUnknownRecord(error) ? (
            <div className="notice">
              This integration does not exist, or was deleted. <UpLink to="/integrations">All integrations</UpLink>
            </div>
          ) : (
            <Fault error={error} retry={() => void integration.refetch()} />
          )}
        </main>
      )}
      {integration.isPending && (
        <main className="page" aria-busy>
          <Waiting className="list-waiting" words="Loading the integration" />
        </main>
      )}
      {data !== undefined && (error === null || isKept) && children(data, window, isKept)}
    </>
  )
}

function Tabs({ id, search }: Pick<IntegrationFrameProps, 'id' | 'search'>) {
  const isAdmin = useCaller().data?.role === 'admin'
  const shared = {
    params: { id },
    search: windowSearchOf(search),
    activeOptions: { exact: true, includeSearch: false },
  }
  return (
    <nav className="tabs" aria-label="Integration">
      <Link to="/integrations/$id" {...shared}>
        Services
      </Link>
      <Link to="/integrations/$id/flow" {...shared}>
        Flow
      </Link>
      {isAdmin && (
        <Link to="/integrations/$id/access" {...shared}>
          Access
        </Link>
      )}
    </nav>
  )
}

/** Resolves the time range of an address. A relative one ends when it was chosen or last refreshed. */
export function useWindow(search: WindowSearch): { readonly window: TimeWindow; readonly refresh: () => void } {
  const [at, refresh] = useWindowEnd(search, undefined)
  return { window: windowAt(search, at), refresh }
}

import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { windowSearchOf } from '../../../app/search.ts'
import { TopBar } from '../../../app/top-bar.tsx'
import { Segments } from '../../../parts/forms/segments.tsx'
import { serviceColour } from '../../../parts/service-colour.ts'
import { type WindowSearch, windowAt } from '../../../parts/time/time.ts'
import { useWindowEnd } from '../../../parts/time/window-end.ts'
import { UpLink } from '../../../parts/up-link.tsx'
import { visibleText } from '../../../parts/value-text.ts'
import type { ServiceSearch } from '../services-search.ts'
import { Classification } from './classification.tsx'
import { Dashboard } from './dashboard.tsx'
import { OverrideEditor } from './override-editor.tsx'

const tabs = [
  ['dashboard', 'Dashboard'],
  ['facets', 'Facets'],
  ['classification', 'Classification'],
] as const

/** One service: its dashboard, its facets, and the rules that classify its spans. */
export function ServicePage() {
  const { name } = useParams({ from: '/services/$name' })
  const search = useSearch({ from: '/services/$name' })
  const navigate = useNavigate({ from: '/services/$name' })
  const [at, endNow] = useWindowEnd(search, [name, search.show])
  const window = useMemo(() => windowAt(search, at), [search, at])
  const kept = windowSearchOf(search)
  const change = (next: ServiceSearch) => void navigate({ search: next })
  const show = search.show ?? 'dashboard'
  const withWindow = (next: WindowSearch) =>
    change({ ...next, ...(search.show === undefined ? {} : { show: search.show }) })
  return (
    <>
      <TopBar
        above={
          <UpLink to="/services" search={kept}>
            Services
          </UpLink>
        }
        title={
          <>
            <i className="service-dot" style={{ background: serviceColour(name) }} />
            {visibleText(name)}
          </>
        }
        window={search}
        onRefresh={endNow}
        onWindow={withWindow}
      >
        <Segments
          label="What is shown"
          value={show}
          options={tabs}
          onChange={(tab) => navigate({ search: tab === 'dashboard' ? kept : { ...kept, show: tab } })}
        />
      </TopBar>
      <main className="page" key={name}>
        {show === 'dashboard' && <Dashboard name={name} window={window} search={kept} onZoom={withWindow} />}
        {show === 'facets' && <OverrideEditor name={name} window={window} />}
        {show === 'classification' && <Classification name={name} window={window} search={kept} />}
      </main>
    </>
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { windowSearchOf } from '../../app/search.ts'
import { TopBar } from '../../app/top-bar.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { windowAt, withoutWindow } from '../../parts/time/time.ts'
import { useWindowEnd } from '../../parts/time/window-end.ts'
import { without } from '../../parts/without.ts'
import { FacetCatalog } from './facet-catalog.tsx'
import { ServiceList } from './service-list.tsx'
import type { ServicesSearch } from './services-search.ts'

const tabs = [
  ['services', 'Services'],
  ['facets', 'Facets'],
] as const

/** Lists the services with telemetry and their facets, or the facets themselves. */
export function ServicesPage() {
  const search = useSearch({ from: '/services' })
  const navigate = useNavigate({ from: '/services' })
  const [at, endNow] = useWindowEnd(search, search.show)
  const window = useMemo(() => windowAt(search, at), [search, at])
  const change = (next: ServicesSearch, isTyping = false) => void navigate({ search: next, replace: isTyping })
  return (
    <>
      <TopBar
        title="Services"
        window={search}
        onRefresh={endNow}
        onWindow={(next) => change({ ...withoutWindow(search), ...next })}
      >
        <Segments
          label="What is shown"
          value={search.show ?? 'services'}
          options={tabs}
          onChange={(tab) =>
            change(tab === 'facets' ? { ...windowSearchOf(search), show: 'facets' } : without(search, 'show'))
          }
        />
      </TopBar>
      <main className="page">
        {search.show === 'facets' ? (
          <FacetCatalog search={search} />
        ) : (
          <ServiceList search={search} window={window} onChange={change} />
        )}
      </main>
    </>
  )
}

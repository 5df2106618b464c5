import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { windowSearchOf } from '../../app/search.ts'
import { TopBar } from '../../app/top-bar.tsx'
import { Segments } from '../../parts/segments.tsx'
import { windowAt } from '../../parts/time.ts'
import { FacetCatalog } from './facet-catalog.tsx'
import { ServiceList } from './service-list.tsx'
import type { ServicesSearch } from './services-search.ts'

const tabs = [
  ['services', 'Services'],
  ['facets', 'Facets'],
] as const

/** The services with telemetry, by what they do; and the facets that say what that is. */
export function ServicesPage() {
  const search = useSearch({ from: '/services' })
  const navigate = useNavigate({ from: '/services' })
  const [at, setAt] = useState(() => new Date())
  const window = useMemo(() => windowAt(search, at), [search, at])
  const change = (next: ServicesSearch, isTyping = false) => {
    if (next.last !== search.last || next.from !== search.from) setAt(new Date())
    navigate({ search: next, replace: isTyping })
  }
  const { show: _, ...shown } = search
  return (
    <>
      <TopBar
        title="Services"
        window={search}
        onRefresh={() => setAt(new Date())}
        onWindow={(next) => change({ ...without(search), ...next })}
      >
        <Segments
          label="What is shown"
          value={search.show ?? 'services'}
          options={tabs}
          onChange={(tab) => change(tab === 'facets' ? { ...windowSearchOf(search), show: 'facets' } : shown)}
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

function without({ last: _last, from: _from, to: _to, ...rest }: ServicesSearch): ServicesSearch {
  return rest
}

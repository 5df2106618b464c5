import { Link } from '@tanstack/react-router'
import { statusOf } from '../../../app/api.ts'
import { windowSearchOf } from '../../../app/search.ts'
import { isSignedOut, useIsRestricted } from '../../../app/session.tsx'
import { Fault } from '../../../parts/answers/fault.tsx'
import { fieldEquals } from '../../../parts/conditions/operators.ts'
import { FacetBadge, StateBadge } from '../../../parts/facets/facet-badge.tsx'
import { FacetGlyph, PipelineGlyph } from '../../../parts/facets/facet-glyph.tsx'
import type { TimeWindow, WindowSearch } from '../../../parts/time/time.ts'
import { UpLink } from '../../../parts/up-link.tsx'
import { useFacets } from '../facet-query.ts'
import { type Rule, type Section, useDashboard, useRules } from './service-query.ts'
import { WidgetCard } from './widget-card.tsx'

interface DashboardProps {
  readonly name: string
  readonly window: TimeWindow
  /** The time range of the address, which links keep. */
  readonly search: WindowSearch
  readonly onZoom: (window: TimeWindow) => void
}

/** Shows a section for each facet of the service, in the order of the API. All charts share a crosshair. */
export function Dashboard({ name, window, search, onZoom }: DashboardProps) {
  const { data, error, refetch } = useDashboard(name, window)
  const rules = useRules(name, window, false)
  const facets = useFacets()
  if (error !== null) {
    if (isSignedOut(error)) return null
    return statusOf(error) === 404 ? (
      <div className="notice">
        <p>The service {name} does not exist, or it is not granted to you.</p>
        <UpLink to="/services" search={windowSearchOf(search)}>
          All services
        </UpLink>
      </div>
    ) : (
      <Fault error={error} retry={() => void refetch()} />
    )
  }
  if (data === undefined || facets.isPending) return <DashboardSkeleton />
  const slugs = data.facets.map(({ slug }) => slug)
  return (
    <>
      <div className="dashboard-head">
        <nav className="dashboard-facets" aria-label="Sections">
          <PipelineGlyph facets={slugs} />
          {data.facets.map(({ slug, state }) => (
            <button
              key={slug}
              type="button"
              className="facet-link"
              onClick={() => document.getElementById(`facet-${slug}`)?.scrollIntoView()}
            >
              <FacetBadge slug={slug} state={state} />
            </button>
          ))}
        </nav>
        <OtherSignals name={name} search={search} />
      </div>
      {data.facets.map((section) => (
        <FacetSection
          key={section.slug}
          {...{ name, section, window, search, onZoom }}
          rules={rules.data?.items ?? []}
        />
      ))}
    </>
  )
}

/** Links to the logs and the metrics of the service, which restricted callers cannot read. */
function OtherSignals({ name, search }: Pick<DashboardProps, 'name' | 'search'>) {
  const isRestricted = useIsRestricted()
  if (isRestricted) return null
  return (
    <span className="other-signals">
      <Link to="/explore/logs" search={{ ...search, conditions: [fieldEquals('service', name)] }}>
        Logs
      </Link>
      <Link to="/explore/metrics" search={{ ...search, q: name }}>
        Metrics
      </Link>
    </span>
  )
}

interface FacetSectionProps extends DashboardProps {
  readonly section: Section
  readonly rules: readonly Rule[]
}

function FacetSection({ name, section, window, search, rules, onZoom }: FacetSectionProps) {
  const { slug, state, widgets } = section
  const facet = useFacets().data?.find((each) => each.slug === slug)
  return (
    <section className="dashboard-section" aria-labelledby={`facet-${slug}`}>
      <header>
        <h2 id={`facet-${slug}`}>
          <FacetGlyph slug={slug} /> {facet?.name ?? slug}
        </h2>
        {state.map((each) => (
          <StateBadge key={each} state={each} />
        ))}
        <span className="soft">{facet?.description}</span>
        <Link to="/services" search={{ ...search, facet: slug }} className="facet-others">
          Services with {slug}
        </Link>
      </header>
      {widgets.length === 0 && (
        <p className="notice soft">A custom facet has no widgets. It groups services: see all services with it.</p>
      )}
      <div className="widgets">
        {widgets.map((widget) => (
          <WidgetCard key={widget.id} {...{ name, widget, window, search, rules, onZoom }} facet={slug} />
        ))}
      </div>
    </section>
  )
}

/** A skeleton of the first section of a dashboard. */
function DashboardSkeleton() {
  const kinds = ['stat', 'stat', 'timeseries', 'timeseries', 'timeseries', 'timeseries']
  return (
    <div role="status">
      <span className="visually-hidden">Loading the dashboard</span>
      <div className="skeleton dashboard-waiting" />
      <div className="dashboard-section">
        <div className="skeleton section-waiting" />
        <div className="widgets">
          {kinds.map((kind, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what is not known has no other identity
            <div key={position} className="card widget" data-kind={kind}>
              <div className="skeleton widget-waiting" />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

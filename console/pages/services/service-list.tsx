import { Link } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { windowSearchOf } from '../../app/search.ts'
import { isSignedOut, useIsRestricted } from '../../app/session.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { GrantedOnly } from '../../parts/answers/first-telemetry.tsx'
import { LastWeek } from '../../parts/answers/last-week.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { useShownRecords } from '../../parts/answers/shown.tsx'
import { fieldEquals } from '../../parts/conditions/operators.ts'
import { counted } from '../../parts/counted.ts'
import { FacetBadge } from '../../parts/facets/facet-badge.tsx'
import { PipelineGlyph } from '../../parts/facets/facet-glyph.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { FindField } from '../../parts/forms/find-field.tsx'
import { ErrorIcon } from '../../parts/icons.tsx'
import { serviceColour } from '../../parts/service-colour.ts'
import { formatNs } from '../../parts/time/duration.ts'
import type { TimeWindow } from '../../parts/time/time.ts'
import { visibleText } from '../../parts/value-text.ts'
import { without } from '../../parts/without.ts'
import { type Facet, type Service, useCarriers, useFacets, useServices } from './facet-query.ts'
import { hasPage, type ServiceOrder, type ServicesSearch, serviceOrderWords } from './services-search.ts'

const shownAtOnce = 200

const orders = Object.entries(serviceOrderWords) as [ServiceOrder, string][]

/** A line of the list. A service with a facet by an override may have no spans in the window. */
type Line = Pick<Service, 'name' | 'facets'> & Partial<Service>

interface ServiceListProps {
  readonly search: ServicesSearch
  readonly window: TimeWindow
  readonly onChange: (search: ServicesSearch, isTyping?: boolean) => void
}

/** Lists the services of the time range: all of them, or those with one facet. */
export function ServiceList({ search, window, onChange }: ServiceListProps) {
  const services = useServices(window)
  const carriers = useCarriers(search.facet, window)
  const facets = useFacets()
  const error = services.error ?? carriers.error
  const isReading = search.facet !== undefined && carriers.data === undefined
  const lines = isReading ? undefined : linesOf(services.data?.services, carriers.data)
  const isWhole = services.data?.isWhole === true
  const found = lines && findLines(lines, search)
  return (
    <>
      <ListFilter search={search} facets={facets.data ?? []} onChange={onChange} />
      {search.facet !== undefined && carriers.data !== undefined && <FacetWords facet={carriers.data} />}
      {error !== null && !isSignedOut(error) && (
        <Fault error={error} retry={() => void (services.error === null ? carriers : services).refetch()} />
      )}
      {error === null && found === undefined && <WaitingList words="Loading services" />}
      {(error === null || services.data?.isWhole === false) && found !== undefined && lines !== undefined && (
        <>
          <h2 aria-live="polite">
            {counted(found.length, 'service')}
            {found.length < lines.length && <span className="soft"> of {lines.length.toLocaleString('en')}</span>}
            {!isWhole && search.facet === undefined && <span className="soft"> so far</span>}
          </h2>
          {found.length > 0 && (
            <ServiceTable lines={found} search={search} isStale={services.isPlaceholderData} isWhole={isWhole} />
          )}
          {found.length === 0 && isWhole && <NoServices search={search} onChange={onChange} />}
          {found.length === 0 && !isWhole && services.isFetching && <WaitingList words="Loading more services" />}
        </>
      )}
    </>
  )
}

/** Joins the services with those that have the facet. Without a facet, all services are lines. */
function linesOf(services: readonly Service[] | undefined, facet: ReturnType<typeof useCarriers>['data'] | undefined) {
  if (services === undefined) return undefined
  if (facet === undefined) return services as readonly Line[]
  const known = new Map(services.map((service) => [service.name, service]))
  return facet.services.map(
    ({ name, state }): Line => known.get(name) ?? { name, facets: [{ slug: facet.slug, state }] },
  )
}

const sizes: Readonly<Record<ServiceOrder, (line: Line) => number>> = {
  failed: ({ error_count = 0 }) => error_count,
  spans: ({ span_count = 0 }) => span_count,
  slowest: ({ p95_ms = 0 }) => p95_ms,
}

/** Returns the lines whose names contain a text, in an order. Ties, and lines without an order, are sorted by name. */
function findLines(lines: readonly Line[], { q = '', order }: ServicesSearch): readonly Line[] {
  const part = q.trim().toLowerCase()
  const found = lines.filter(({ name }) => name.toLowerCase().includes(part))
  if (order === undefined) return found
  const sizeOf = sizes[order]
  return found.sort((left, right) => sizeOf(right) - sizeOf(left))
}

interface ListFilterProps extends Pick<ServiceListProps, 'search' | 'onChange'> {
  readonly facets: readonly Facet[]
}

function ListFilter({ search, facets, onChange }: ListFilterProps) {
  const named = facets.map(({ slug, name }): [string, string] => [slug, name === slug ? slug : `${name} (${slug})`])
  const { facet } = search
  const isListed = facet === undefined || named.some(([slug]) => slug === facet)
  return (
    <search className="list-filter">
      <FindField
        label="Find a service"
        placeholder="Find a service"
        value={search.q ?? ''}
        onChange={(q) => onChange(q === '' ? without(search, 'q') : { ...search, q }, true)}
      />
      <Choice
        label="Facet"
        value={facet ?? ''}
        options={[['', 'any facet'], ...named, ...(isListed ? [] : [[facet, facet] as const])]}
        onChange={(slug) => {
          const others = without(search, 'facet')
          onChange(slug === '' ? others : { ...others, facet: slug })
        }}
      />
      <Choice
        label="Order"
        value={search.order ?? ''}
        options={[['', 'by name'], ...orders]}
        onChange={(order) => {
          const others = without(search, 'order')
          onChange(order === '' ? others : { ...others, order })
        }}
      />
    </search>
  )
}

/** Describes the facet of the list, and how it is detected. */
function FacetWords({ facet }: { readonly facet: Facet }) {
  return (
    <p className="soft">
      <FacetBadge slug={facet.slug} state={[]} /> {facet.description.replace(/[^.!?]$/, '$&.')} {detectionWords(facet)}
    </p>
  )
}

/** Describes how a facet is detected. */
export function detectionWords({ slug, built_in, definition }: Facet): string {
  if (definition !== null) return `Detected from io.kind=${definition.io_kind} and io.role=${definition.io_role}.`
  if (slug === 'core') return 'Always present.'
  if (slug === 'worker') return 'Detected from spans of kind internal, without any input or output.'
  return built_in ? '' : 'Never detected: a service has it by an override.'
}

interface NoServicesProps {
  readonly search: ServicesSearch
  readonly onChange: (search: ServicesSearch) => void
}

function NoServices({ search, onChange }: NoServicesProps) {
  const isNarrowed = search.q !== undefined || search.facet !== undefined
  const isRestricted = useIsRestricted()
  return (
    <div className="notice">
      <p>
        {isNarrowed
          ? 'No service in this time range matches. Facets are detected from the telemetry of the time range only.'
          : 'No service sent spans in this time range.'}
      </p>
      {isNarrowed && (
        <Button className="button" onPress={() => onChange(without(search, 'q', 'facet'))}>
          Show all services
        </Button>
      )}
      <LastWeek search={search} onSearch={onChange} />
      {!isNarrowed && (isRestricted ? <GrantedOnly /> : <Link to="/start">How to send spans</Link>)}
    </div>
  )
}

interface ServiceTableProps {
  readonly lines: readonly Line[]
  readonly search: ServicesSearch
  readonly isStale: boolean
  /** Whether the counts of all services have been read. */
  readonly isWhole: boolean
}

function ServiceTable({ lines, search, isStale, isWhole }: ServiceTableProps) {
  const { shown, more } = useShownRecords(lines, shownAtOnce)
  return (
    <>
      <div className="messages-box">
        <table className="messages services-table" aria-busy={isStale}>
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col">Facets</th>
              {['Spans', 'Failed', '95% within'].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <ServiceLine key={line.name} line={line} search={search} isWhole={isWhole} />
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </>
  )
}

function ServiceName({ name }: { readonly name: string }) {
  return (
    <>
      <i className="service-dot" style={{ background: serviceColour(name) }} />
      <strong title={name}>{visibleText(name)}</strong>
    </>
  )
}

interface ServiceLineProps extends Pick<ServiceTableProps, 'search' | 'isWhole'> {
  readonly line: Line
}

function ServiceLine({ line, search, isWhole }: ServiceLineProps) {
  const { name, facets, span_count, error_count = 0, p95_ms } = line
  const kept = windowSearchOf(search)
  const listed = without(search, 'q')
  return (
    <tr>
      <th scope="row">
        {hasPage(name) ? (
          <Link to="/services/$name" params={{ name }} search={kept} className="message-link">
            <ServiceName name={name} />
          </Link>
        ) : (
          <>
            <Link
              to="/"
              search={{ ...kept, rows: [fieldEquals('service', name)] }}
              className="message-link"
              aria-label={`Messages of ${name}`}
            >
              <ServiceName name={name} />
            </Link>
            <small className="soft">Browsers cannot open a page with this name: see its messages.</small>
          </>
        )}
      </th>
      <td>
        <div className="pipeline-and-facets">
          <PipelineGlyph facets={facets.map(({ slug }) => slug)} />
          <span className="facet-list">
            {facets
              .filter(({ slug }) => slug !== 'core')
              .map(({ slug, state }) => (
                <Link key={slug} to="/services" search={{ ...listed, facet: slug }} className="facet-link">
                  <FacetBadge slug={slug} state={state} />
                </Link>
              ))}
          </span>
        </div>
      </td>
      <td className="number">
        {span_count === undefined ? (
          <span className="soft">{isWhole ? 'no spans' : '…'}</span>
        ) : (
          span_count.toLocaleString('en')
        )}
      </td>
      <td className="number">
        {error_count > 0 && (
          <span className="error-mark">
            <ErrorIcon /> {error_count.toLocaleString('en')}
          </span>
        )}
      </td>
      <td className="number">{p95_ms === undefined ? '' : formatNs(p95_ms * 1e6)}</td>
    </tr>
  )
}

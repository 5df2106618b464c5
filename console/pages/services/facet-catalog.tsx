import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { windowSearchOf } from '../../app/search.ts'
import { useMayWrite } from '../../app/session.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { FacetBadge } from '../../parts/facets/facet-badge.tsx'
import { Fault } from '../../parts/fault.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import { WaitingList } from '../../parts/list-states.tsx'
import { FacetForm } from './facet-form.tsx'
import { type Facet, useFacetChanges, useFacets } from './facet-query.ts'
import { detectionWords } from './service-list.tsx'
import type { ServicesSearch } from './services-search.ts'

/** All facets of the organization. Built-in ones are read; custom ones are made here. */
export function FacetCatalog({ search }: { readonly search: ServicesSearch }) {
  const facets = useFacets()
  const changes = useFacetChanges()
  const mayWrite = useMayWrite()
  /** The slug of the facet that is edited; empty for a new one. */
  const [edited, setEdited] = useState<string>()
  const open = (slug: string | undefined) => {
    for (const change of [changes.create, changes.update, changes.remove]) change.reset()
    setEdited(slug)
  }
  const fault = facets.error !== null && <Fault error={facets.error} retry={() => void facets.refetch()} />
  if (facets.data === undefined) return fault || <WaitingList words="Loading facets" />
  const custom = facets.data.filter(({ built_in }) => !built_in)
  return (
    <>
      {fault}
      <section className="card facts" aria-label="Custom facets">
        <CustomHeading onNew={mayWrite ? () => open('') : undefined} />
        <p className="soft">
          The organization’s own words for what services do. They are never detected and have no widgets: a service gets
          one by an override on its page.
        </p>
        {edited === '' && <FacetForm changes={changes} onDone={() => open(undefined)} />}
        {changes.remove.error !== null && <Fault error={changes.remove.error} />}
        {custom.length === 0 && edited !== '' && <p className="soft">There are none yet.</p>}
        {custom.map((facet) =>
          edited === facet.slug ? (
            <FacetForm key={facet.slug} facet={facet} changes={changes} onDone={() => open(undefined)} />
          ) : (
            <div key={facet.slug} className="facet-line">
              <FacetLine facet={facet} search={search} />
              {mayWrite && (
                <span className="facet-actions">
                  <Button className="button bare" aria-label={`Edit ${facet.name}`} onPress={() => open(facet.slug)}>
                    Edit
                  </Button>
                  <DeleteButton
                    noun={facet.name}
                    question="Services lose it."
                    isPending={changes.remove.isPending}
                    onDelete={() => changes.remove.mutate(facet)}
                  />
                </span>
              )}
            </div>
          ),
        )}
      </section>
      <BuiltInFacets facets={facets.data.filter(({ built_in }) => built_in)} search={search} />
    </>
  )
}

/** The heading of custom facets. Without `onNew`, the caller may not add any. */
function CustomHeading({ onNew }: { readonly onNew: (() => void) | undefined }) {
  return (
    <header className="card-heading">
      <h2>Custom facets</h2>
      {onNew === undefined ? (
        <span className="soft">Changing facets needs the role contributor.</span>
      ) : (
        <Button className="button" onPress={onNew}>
          <AddIcon /> New facet
        </Button>
      )}
    </header>
  )
}

interface BuiltInFacetsProps {
  readonly facets: readonly Facet[]
  readonly search: ServicesSearch
}

function BuiltInFacets({ facets, search }: BuiltInFacetsProps) {
  return (
    <section className="card facts" aria-label="Built-in facets">
      <h2>Built-in facets</h2>
      <p className="soft">In the order of the sections of dashboards. They cannot be changed.</p>
      {facets.map((facet) => (
        <div key={facet.slug} className="facet-line">
          <FacetLine facet={facet} search={search} />
        </div>
      ))}
    </section>
  )
}

function FacetLine({ facet, search }: { readonly facet: Facet; readonly search: ServicesSearch }) {
  const { slug, name, description, key_attributes, widgets } = facet
  return (
    <>
      <span className="facet-name">
        <FacetBadge slug={slug} state={[]} />
        {name !== slug && <strong>{name}</strong>}
      </span>
      <div>
        <p>{description}</p>
        <p className="soft">
          {detectionWords(facet)}
          {key_attributes.length > 0 && ` Its spans show ${key_attributes.join(', ')} first.`}
          {widgets.length > 0 && ` ${widgets.length} widgets.`}
        </p>
      </div>
      <Link to="/services" search={{ ...windowSearchOf(search), facet: slug }} aria-label={`Services with ${slug}`}>
        Services
      </Link>
    </>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { windowSearchOf } from '../../app/search.ts'
import { useMayWrite } from '../../app/session.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { FacetBadge } from '../../parts/facets/facet-badge.tsx'
import { AddIcon } from '../../parts/icons.tsx'
import { DeleteButton } from '../../parts/records/delete-button.tsx'
import { FacetForm } from './facet-form.tsx'
import { type Facet, useFacetChanges, useFacets } from './facet-query.ts'
import { detectionWords } from './service-list.tsx'
import type { ServicesSearch } from './services-search.ts'

/** Lists all facets of the organization. Built-in ones are read-only; custom ones are created here. */
export function FacetCatalog({ search }: { readonly search: ServicesSearch }) {
  const facets = useFacets()
  const { remove } = useFacetChanges()
  const mayWrite = useMayWrite()
  const { edited, open, closed, close } = useForms(remove.reset)
  const fault = facets.error !== null && <Fault error={facets.error} retry={() => void facets.refetch()} />
  if (facets.data === undefined) return fault || <WaitingList words="Loading facets" />
  const custom = facets.data.filter(({ built_in }) => !built_in)
  return (
    <>
      {fault}
      <section className="card facts" aria-label="Custom facets">
        <CustomHeading
          onNew={mayWrite && !edited.includes('') ? () => open('') : undefined}
          mayWrite={mayWrite}
          hasFocus={closed === ''}
        />
        <p className="soft">
          The organization’s own words for what services do. They are never detected and have no widgets: a service gets
          one by an override on its page.
        </p>
        {edited.includes('') && <FacetForm onDone={() => close('')} />}
        {remove.error !== null && <Fault error={remove.error} />}
        {custom.length === 0 && !edited.includes('') && <p className="soft">There are none yet.</p>}
        {custom.map((facet) =>
          edited.includes(facet.slug) ? (
            <FacetForm key={facet.slug} facet={facet} onDone={() => close(facet.slug)} />
          ) : (
            <div key={facet.slug} className="facet-line">
              <FacetLine facet={facet} search={search} />
              {mayWrite && (
                <span className="facet-actions">
                  <Button
                    className="button bare"
                    aria-label={`Edit ${facet.name}`}
                    autoFocus={closed === facet.slug}
                    onPress={() => open(facet.slug)}
                  >
                    Edit
                  </Button>
                  <DeleteButton
                    noun={facet.name}
                    question="Services lose it."
                    isPending={remove.isPending}
                    onDelete={() => remove.mutate(facet)}
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

/** Returns the open forms by the slugs of their facets; the empty slug is that of a new facet. */
function useForms(onOpen: () => void) {
  const [edited, setEdited] = useState<readonly string[]>([])
  // After a form is closed, the focus returns to the button that opened it.
  const [closed, setClosed] = useState<string>()
  return {
    edited,
    closed,
    open(slug: string) {
      onOpen()
      setEdited([...edited, slug])
    },
    close(slug: string) {
      setClosed(slug)
      setEdited((now) => now.filter((each) => each !== slug))
    },
  }
}

interface CustomHeadingProps {
  readonly mayWrite: boolean
  /** Opens the form for a new facet; undefined while it is open. */
  readonly onNew: (() => void) | undefined
  /** Whether the button takes the focus when it is shown. */
  readonly hasFocus: boolean
}

/** The heading of custom facets. */
function CustomHeading({ mayWrite, onNew, hasFocus }: CustomHeadingProps) {
  return (
    <header className="card-heading">
      <h2>Custom facets</h2>
      {!mayWrite && <span className="soft">You need the contributor role to change facets.</span>}
      {onNew !== undefined && (
        <Button className="button" onPress={onNew} autoFocus={hasFocus}>
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

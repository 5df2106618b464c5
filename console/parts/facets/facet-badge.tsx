import type { components } from '../../../openapi/types.ts'
import { FacetGlyph } from './facet-glyph.tsx'

type FacetState = components['schemas']['FacetState']

/** Shows the glyph and the slug of a facet. A facet that an override assigned is marked. */
export function FacetBadge({ slug, state }: { readonly slug: string; readonly state: readonly FacetState[] }) {
  return (
    <span className="facet">
      <FacetGlyph slug={slug} />
      <span className="facet-slug" title={slug}>
        {slug}
      </span>
      {state.includes('manual') && <StateBadge state="manual" />}
    </span>
  )
}

const meanings: Readonly<Record<FacetState, string>> = {
  detected: 'Telemetry in the time range shows it.',
  manual: 'Assigned by an override.',
  hidden: 'Excluded by an override.',
}

/** Shows why a service has a facet, or not. */
export function StateBadge({ state }: { readonly state: FacetState }) {
  return (
    <span className="facet-state" data-state={state} title={meanings[state]}>
      {state}
    </span>
  )
}

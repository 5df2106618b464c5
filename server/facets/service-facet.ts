import type { components } from '../../openapi/types.ts'
import { builtInFacets, coreSlug } from './built-in.ts'

/** One facet of the vocabulary, as it is for one service. */
export interface ServiceFacet {
  readonly slug: string
  readonly detected: boolean
  readonly included: boolean
  readonly excluded: boolean
}

/** What users say of the facets of one service, on top of what is detected. It may name facets that are not there any more. */
export interface Overrides {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

export const noOverrides: Overrides = { include: [], exclude: [] }

export type FacetState = components['schemas']['FacetState']

/** Every facet that there is, for one service: the built-in ones in the order of sections, then custom ones by slug. */
export function facetsOfService(
  detected: readonly string[],
  overrides: Overrides,
  customSlugs: readonly string[],
): ServiceFacet[] {
  const slugs = [...builtInFacets.map(({ slug }) => slug), ...customSlugs]
  return slugs.map((slug) => overriddenBy(overrides, { slug, detected: detected.includes(slug) }))
}

export function overriddenBy(
  { include, exclude }: Overrides,
  { slug, detected }: Pick<ServiceFacet, 'slug' | 'detected'>,
): ServiceFacet {
  return { slug, detected, included: include.includes(slug), excluded: exclude.includes(slug) && slug !== coreSlug }
}

/** (detected or included) and not excluded */
export function isEffective({ detected, included, excluded }: ServiceFacet): boolean {
  return (detected || included) && !excluded
}

/** How a facet is labelled: nothing, `hidden`, or `detected` and `manual` as far as they are true. */
export function statesOf({ detected, included, excluded }: ServiceFacet): FacetState[] {
  if (excluded) return ['hidden']
  return [...(detected ? (['detected'] as const) : []), ...(included ? (['manual'] as const) : [])]
}

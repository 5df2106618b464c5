/** The facets of one service: the detected ones with the overrides applied. */
import { byCodePoint } from '#sql'
import type { components } from '../../openapi/types.ts'
import { type FieldFault, refusedFields, unknownAt } from '../problem/problem.ts'
import { builtInFacets, builtInSlugs, coreSlug } from './built-in-facets.ts'
import type { ServiceRecords } from './service-records.ts'

/** The state of one facet for one service. */
export interface ServiceFacet {
  readonly slug: string
  readonly detected: boolean
  readonly included: boolean
  readonly excluded: boolean
}

/** Changes that users make to the detected facets of a service. They may name facets that no longer exist. */
export interface Overrides {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

export const noOverrides: Overrides = { include: [], exclude: [] }

/**
 * Lists every facet of an organization for one service: built-in facets in dashboard order, then custom facets by slug.
 */
export function facetsOfService(
  detected: readonly string[],
  overrides: Overrides,
  customSlugs: readonly string[],
): ServiceFacet[] {
  const slugs = [...builtInFacets.map(({ slug }) => slug), ...customSlugs]
  return slugs.map((slug) => overriddenBy(overrides, { slug, detected: detected.includes(slug) }))
}

/** Returns a facet of a service with its overrides. The facet `core` cannot be excluded. */
export function overriddenBy(
  { include, exclude }: Overrides,
  { slug, detected }: Pick<ServiceFacet, 'slug' | 'detected'>,
): ServiceFacet {
  return { slug, detected, included: include.includes(slug), excluded: exclude.includes(slug) && slug !== coreSlug }
}

/** Reports whether a service has a facet: (detected or included) and not excluded. */
export function isEffective({ detected, included, excluded }: ServiceFacet): boolean {
  return (detected || included) && !excluded
}

/** Returns the slugs of the facets that a service has, in the order of the list. */
export function effectiveSlugs(facets: readonly ServiceFacet[] = []): string[] {
  return facets.filter(isEffective).map(({ slug }) => slug)
}

/** Returns the labels of a facet: `hidden` if it is excluded, otherwise `detected` and `manual` as they apply. */
export function statesOf({ detected, included, excluded }: ServiceFacet): components['schemas']['FacetState'][] {
  if (excluded) return ['hidden']
  return [...(detected ? (['detected'] as const) : []), ...(included ? (['manual'] as const) : [])]
}

export const overrideRecords: ServiceRecords<Overrides> = {
  table: 'facet_overrides',
  plural: 'facet overrides',
  toAudited: (overrides) => ({ ...overrides }),
  empty: noOverrides,
  isEmpty: ({ include, exclude }) => include.length === 0 && exclude.length === 0,
  checkTogether() {},
}

/** Removes duplicates and sorts the slugs, so that equal overrides are stored as equal texts. */
export function normalized({ include, exclude }: Overrides): Overrides {
  return { include: uniqueSlugs(include), exclude: uniqueSlugs(exclude) }
}

function uniqueSlugs(slugs: readonly string[]): string[] {
  return [...new Set(slugs)].sort(byCodePoint)
}

/**
 * Checks the slugs of overrides. `customSlugs` are those of the custom facets of the organization.
 * @throws Problem 422 with every slug that names no facet, and every exclusion of `core`
 */
export function checkOverrides({ include, exclude }: Overrides, customSlugs: readonly string[]): void {
  const known = new Set([...builtInSlugs, ...customSlugs])
  const unknownIn = (list: 'include' | 'exclude', slugs: readonly string[]): FieldFault[] =>
    slugs.flatMap((slug, index) => (known.has(slug) ? [] : [unknownAt(`/${list}/${index}`, 'facet', slug)]))
  const faults = [...unknownIn('include', include), ...unknownIn('exclude', exclude), ...coreExclusions(exclude, '')]
  if (faults.length > 0) throw refusedFields(faults)
}

/** Returns a fault for every exclusion of `core`. `pointer` locates the overrides in the request body. */
export function coreExclusions(exclude: readonly string[], pointer: string): FieldFault[] {
  const message = 'The facet `core` cannot be excluded. Every service has it.'
  return exclude.flatMap((slug, index) =>
    slug === coreSlug ? [{ pointer: `${pointer}/exclude/${index}`, code: 'core_excluded', message }] : [],
  )
}

/** The overrides of the facets of a service. */
import type { components } from '../../../../openapi/types.ts'

type Overrides = components['schemas']['FacetOverrides']
type FacetState = components['schemas']['FacetState']

export type Override = 'auto' | 'include' | 'exclude'

/** The override of each facet, by its slug. */
export type Choices = ReadonlyMap<string, Override>

/**
 * Returns the stored choices. Those of deleted facets come last. They cannot be changed, but are saved with the others,
 * because they apply again if the facet is recreated.
 */
export function choicesOf({ facets, include, exclude }: Overrides): Choices {
  const known = new Set(facets.map(({ slug }) => slug))
  const ofDeleted = (slugs: readonly string[], override: Override) =>
    slugs.filter((slug) => !known.has(slug)).map((slug) => [slug, override] as const)
  return new Map([
    ...facets.map(({ slug, override }) => [slug, override ?? 'auto'] as const),
    ...ofDeleted(include, 'include'),
    ...ofDeleted(exclude, 'exclude'),
  ])
}

/** Returns the choices as the API takes them. */
export function listsOf(choices: Choices): { include: string[]; exclude: string[] } {
  const chosen = (wanted: Override) => [...choices].flatMap(([slug, override]) => (override === wanted ? [slug] : []))
  return { include: chosen('include'), exclude: chosen('exclude') }
}

/** Describes choices: `always queue-output; hidden worker`. */
export function describeChoices(choices: Choices): string {
  const { include, exclude } = listsOf(choices)
  const words = [
    ...(include.length > 0 ? [`always ${include.join(', ')}`] : []),
    ...(exclude.length > 0 ? [`hidden ${exclude.join(', ')}`] : []),
  ]
  return words.length === 0 ? 'no overrides' : words.join('; ')
}

/** Returns the states of a facet with an override. An excluded facet is hidden whether it is detected or not. */
export function statesWith(detected: boolean, override: Override): FacetState[] {
  if (override === 'exclude') return ['hidden']
  return [...(detected ? ['detected' as const] : []), ...(override === 'include' ? ['manual' as const] : [])]
}

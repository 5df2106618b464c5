/** What a person chooses for the facets of a service. */
import type { components } from '../../../../openapi/types.ts'
import type { Overrides } from './service-query.ts'

type FacetState = components['schemas']['FacetState']

export type Override = 'auto' | 'include' | 'exclude'

/** The override of each facet, by its slug. */
export type Choices = ReadonlyMap<string, Override>

/** Returns the stored choices. Overrides of facets that were deleted are not among them. */
export function choicesOf({ facets }: Overrides): Choices {
  return new Map(facets.map(({ slug, override }) => [slug, override ?? 'auto']))
}

/** Returns the choices as the API takes them. */
export function listsOf(choices: Choices): { include: string[]; exclude: string[] } {
  const chosen = (wanted: Override) => [...choices].flatMap(([slug, override]) => (override === wanted ? [slug] : []))
  return { include: chosen('include'), exclude: chosen('exclude') }
}

/** Writes choices in words: `always queue-output; hidden worker`. */
export function describeChoices(choices: Choices): string {
  const { include, exclude } = listsOf(choices)
  const words = [
    ...(include.length > 0 ? [`always ${include.join(', ')}`] : []),
    ...(exclude.length > 0 ? [`hidden ${exclude.join(', ')}`] : []),
  ]
  return words.length === 0 ? 'no overrides' : words.join('; ')
}

/** Returns the states of a facet once its override is saved. What is hidden stays hidden, detected or not. */
export function statesWith(detected: boolean, override: Override): FacetState[] {
  if (override === 'exclude') return ['hidden']
  return [...(detected ? ['detected' as const] : []), ...(override === 'include' ? ['manual' as const] : [])]
}

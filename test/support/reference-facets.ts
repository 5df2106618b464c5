import { readAttribute, textOf } from './reference-attribute.ts'
import { holds, type Operator } from './reference-condition.ts'
import { byStart } from './reference-population.ts'
import type { SpanModel } from './span-model.ts'

/** A facet classification rule, in the words of the wire. */
export interface FacetMapping {
  readonly attribute_source: 'span' | 'resource'
  readonly attribute_key: string
  readonly match_operator: 'equals' | 'prefix' | 'suffix' | 'contains' | 'exists'
  readonly match_value?: string
  readonly set_io_kind: string
  readonly set_io_role: string
}

/** `core` and `worker` are detected in other ways; the others by the pair that their name spells. */
export const sectionOrder: readonly string[] = [
  'core',
  'http-input',
  'http-output',
  'queue-input',
  'queue-output',
  'stream-input',
  'stream-output',
  'file-input',
  'file-output',
  'db-output',
  'email-output',
  'worker',
]

const profileSpansMax = 100_000

const operatorOfMapping: Readonly<Record<FacetMapping['match_operator'], Operator>> = {
  equals: 'eq',
  prefix: 'starts_with',
  suffix: 'ends_with',
  contains: 'contains',
  exists: 'exists',
}

/** The built-in facets detected for one service from its spans in the window, in section order (semantics section 8). */
export function detectedFacets(spansOfService: readonly SpanModel[], mappings: readonly FacetMapping[]): string[] {
  const profile = spansOfService.toSorted((left, right) => byStart(right, left)).slice(0, profileSpansMax)
  const pairs = new Set(profile.map((span) => pairOf(span, mappings)))
  const ofData = sectionOrder.filter((slug) => pairs.has(slug) && slug !== 'core' && slug !== 'worker')
  const isWorker = ofData.length === 0 && profile.some((span) => span.kind === 'internal')
  return ['core', ...ofData, ...(isWorker ? ['worker'] : [])]
}

/** `kind-role` of a span; a rule is considered only where no `io.kind` is carried, and then sets both. */
export function pairOf(span: SpanModel, mappings: readonly FacetMapping[]): string | undefined {
  const kind = readAttribute(span, 'any', 'io.kind')
  const role = readAttribute(span, 'any', 'io.role')
  if (kind !== undefined) return role === undefined ? undefined : `${textOf(kind)}-${textOf(role)}`
  const first = mappings.find((mapping) => fits(mapping, span))
  return first === undefined ? undefined : `${first.set_io_kind}-${first.set_io_role}`
}

function fits(mapping: FacetMapping, span: SpanModel): boolean {
  const { attribute_source, attribute_key, match_operator, match_value = '' } = mapping
  return holds(
    { attribute_source, attribute_key, operator: operatorOfMapping[match_operator], value: match_value },
    span,
  )
}

export interface Overrides {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** (detected and included) minus excluded: built-ins in section order, then custom facets that exist, by slug. */
export function effectiveFacets(
  detected: readonly string[],
  overrides: Overrides,
  customSlugs: readonly string[],
): string[] {
  const known = [...sectionOrder, ...customSlugs.toSorted()]
  return known.filter((slug) => {
    if (slug === 'core') return true
    return (detected.includes(slug) || overrides.include.includes(slug)) && !overrides.exclude.includes(slug)
  })
}

/** How a facet is labelled; both `detected` and `manual` where both are true. */
export function facetStates(slug: string, detected: readonly string[], overrides: Overrides): string[] {
  if (overrides.exclude.includes(slug)) return ['hidden']
  return [...(detected.includes(slug) ? ['detected'] : []), ...(overrides.include.includes(slug) ? ['manual'] : [])]
}

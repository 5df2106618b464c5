import { readAttribute, textOf } from './reference-attribute.ts'
import { holds } from './reference-condition.ts'
import { type MappingOperator, operatorOfMapping } from './reference-operators.ts'
import { byCodePoints } from './reference-order.ts'
import type { SpanModel } from './span-model.ts'

/** A classification rule of facets, as the API takes it. */
export interface FacetMapping {
  readonly attribute_source: 'span' | 'resource'
  readonly attribute_key: string
  readonly match_operator: MappingOperator
  readonly match_value?: string
  readonly set_io_kind: string
  readonly set_io_role: string
}

export const ioKinds: readonly string[] = ['file', 'queue', 'stream', 'http', 'db', 'email']
export const ioRoles: readonly string[] = ['input', 'output']

/** Every facet but `core` and `worker` is detected by the pair in its name. */
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

/** Returns the pairs of a service's newest spans, as `kind-role`, and whether one of them has the kind Internal. */
export function profileOf(spansOfService: readonly SpanModel[], mappings: readonly FacetMapping[]) {
  const profile = newestOf(spansOfService)
  const carried = new Set(profile.map((span) => pairOf(span, mappings)))
  const pairs = ioKinds.flatMap((kind) => ioRoles.map((role) => `${kind}-${role}`)).filter((pair) => carried.has(pair))
  return { pairs, hasInternal: profile.some((span) => span.kind === 'internal') }
}

/** Returns the built-in facets detected from a service's spans, in section order (docs/semantics.md, section 8). */
export function detectedFacets(spansOfService: readonly SpanModel[], mappings: readonly FacetMapping[]): string[] {
  const { pairs, hasInternal } = profileOf(spansOfService, mappings)
  const ofData = sectionOrder.filter((slug) => pairs.includes(slug))
  return ['core', ...ofData, ...(ofData.length === 0 && hasInternal ? ['worker'] : [])]
}

/** Sorts by start, then by trace id and span id. */
function newestOf(spans: readonly SpanModel[]): SpanModel[] {
  const rank = ({ traceId, spanId }: SpanModel) => traceId + spanId
  const isLater = (left: SpanModel, right: SpanModel) =>
    left.startNs === right.startNs ? rank(left) > rank(right) : left.startNs > right.startNs
  return spans
    .toSorted((left, right) => (isLater(left, right) ? -1 : Number(isLater(right, left))))
    .slice(0, profileSpansMax)
}

/** Counts the newest spans that carry `io.kind`, those that each rule decides, and those that remain undecided. */
export function explainMappings(spansOfService: readonly SpanModel[], mappings: readonly FacetMapping[]) {
  const profile = newestOf(spansOfService)
  const undeclared = profile.filter((span) => readAttribute(span, 'any', 'io.kind') === undefined)
  const deciders = undeclared.map((span) => mappings.findIndex((mapping) => fits(mapping, span)))
  const decidedBy = (index: number) => deciders.filter((decider) => decider === index).length
  return {
    sampled_span_count: profile.length,
    carried_span_count: profile.length - undeclared.length,
    undecided_span_count: decidedBy(-1),
    decided: mappings.map((_, index) => decidedBy(index)),
  }
}

/** The facet settings of an organization. */
export interface FacetSettings {
  readonly custom: readonly string[]
  readonly overrides: ReadonlyMap<string, Overrides>
  readonly mappings: ReadonlyMap<string, readonly FacetMapping[]>
}

const noOverrides: Overrides = { include: [], exclude: [] }

/** Returns the whole list of services, as the API returns it. */
export function listServices(population: readonly SpanModel[], settings: FacetSettings) {
  return servicesOf(population).map((name) => {
    const spans = population.filter(({ service }) => service === name)
    const durations = spans
      .map(({ durationNs }) => durationNs)
      .sort((left, right) => (left < right ? -1 : Number(left > right)))
    return {
      name,
      span_count: spans.length,
      error_count: spans.filter(({ status }) => status === 'error').length,
      p95_ms: Number(durations[Math.ceil((durations.length * 95) / 100) - 1]) / 1e6,
      facets: facetsOf(name, spans, settings)
        .filter(({ effective }) => effective)
        .map(({ slug, state }) => ({ slug, state })),
    }
  })
}

/** Returns the services that have a facet, among those with spans and those with overrides. */
export function listCarriers(slug: string, population: readonly SpanModel[], settings: FacetSettings) {
  const names = new Set([...servicesOf(population), ...settings.overrides.keys()])
  return [...names].sort(byCodePoints).flatMap((name) => {
    const spans = population.filter(({ service }) => service === name)
    const carried = facetsOf(name, spans, settings).filter((facet) => facet.slug === slug && facet.effective)
    return carried.map(({ state }) => ({ name, state }))
  })
}

function servicesOf(population: readonly SpanModel[]): string[] {
  return [...new Set(population.map(({ service }) => service))].sort(byCodePoints)
}

/** Returns all facets of one service, as the API returns them. */
export function facetsOf(service: string, spans: readonly SpanModel[], { custom, overrides, mappings }: FacetSettings) {
  const ofService = overrides.get(service) ?? noOverrides
  const detected = detectedFacets(spans, mappings.get(service) ?? [])
  const effective = effectiveFacets(detected, ofService, custom)
  return [...sectionOrder, ...custom.toSorted()].map((slug) => ({
    slug,
    detected: detected.includes(slug),
    override: ofService.exclude.includes(slug) ? 'exclude' : ofService.include.includes(slug) ? 'include' : null,
    effective: effective.includes(slug),
    state: facetStates(slug, detected, ofService),
  }))
}

/** Returns a span's `kind-role`. Rules apply only to a span without `io.kind`, and set both values. */
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
    { attribute_source, attribute_key, operator: operatorOfMapping(match_operator), value: match_value },
    span,
  )
}

export interface Overrides {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** Returns detected and included facets without excluded ones: built-ins in section order, then custom ones by slug. */
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

/** Returns the states of a facet. It can be `detected` and `manual` at the same time. */
export function facetStates(slug: string, detected: readonly string[], overrides: Overrides): string[] {
  if (overrides.exclude.includes(slug)) return ['hidden']
  return [...(detected.includes(slug) ? ['detected'] : []), ...(overrides.include.includes(slug) ? ['manual'] : [])]
}

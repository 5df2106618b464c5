/** The facets of services: what they do at their boundaries. */
import type { components } from '../../../openapi/types.ts'

type IoKind = components['schemas']['IoKind']

export interface FacetKind {
  readonly shape: IoKind | 'worker' | 'core' | 'custom'
  /** Whether data comes into the service or leaves it. Undefined for facets that are not boundaries. */
  readonly role?: 'input' | 'output'
}

const ioKinds = { http: true, queue: true, stream: true, file: true, db: true, email: true } satisfies Record<
  IoKind,
  true
>

/** Every kind of input and output, in the order in which they are offered. */
export const ioKindNames = Object.keys(ioKinds) as readonly IoKind[]

/** Returns the kind of a facet by its slug. Facets that are not built in are custom. */
export function facetKindOf(slug: string): FacetKind {
  if (slug === 'core' || slug === 'worker') return { shape: slug }
  const [, kind = '', role] = /^([a-z]+)-(input|output)$/.exec(slug) ?? []
  return Object.hasOwn(ioKinds, kind)
    ? { shape: kind as IoKind, role: role as 'input' | 'output' }
    : { shape: 'custom' }
}

const facetKeys = /^(?:(?:io|http|messaging|db|file|transfer)\.|(?:net\.peer\.name|server\.address|url\.path)$)/

/** Reports whether facets are detected from an attribute, or show it first. */
export function isFacetKey(key: string): boolean {
  return facetKeys.test(key)
}

/** Returns the facets of a service by their position in its pipeline. */
export function pipelineOf(facets: readonly string[]) {
  const ofRole = (role: FacetKind['role']) =>
    facets.filter((slug) => facetKindOf(slug).role === role && role !== undefined)
  return { inputs: ofRole('input'), outputs: ofRole('output'), hasWorker: facets.includes('worker') }
}

/** Describes a pipeline: `in: http; out: queue, db`. */
export function pipelineWords(facets: readonly string[]): string {
  const { inputs, outputs, hasWorker } = pipelineOf(facets)
  const kinds = (slugs: readonly string[]) => slugs.map((slug) => facetKindOf(slug).shape).join(', ')
  const parts = [
    ...(inputs.length > 0 ? [`in: ${kinds(inputs)}`] : []),
    ...(hasWorker ? ['background work'] : []),
    ...(outputs.length > 0 ? [`out: ${kinds(outputs)}`] : []),
  ]
  return parts.length === 0 ? 'no inputs or outputs' : parts.join('; ')
}

import { expect } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type Answer, type Sent, sharedApp, type Tenant } from '../support/integration-app.ts'
import type { Window } from '../support/reference-population.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawTraces } from '../support/trace-text.ts'

type Schemas = components['schemas']
export type Overrides = Schemas['FacetOverrides']
export type Mapping = Schemas['FacetMapping']
export type Dashboard = Schemas['ServiceDashboard']
type MappingPage = Schemas['FacetMappingPage']

/** An organization with spans, and requests about the facets of its services. */
export interface FacetTenant {
  readonly tenant: Tenant
  readonly ask: Tenant['ask']
  store(spans: readonly SpanModel[]): Promise<void>
  /** Reads a path below a service. The window defaults to the first minute of the drawn traces. */
  read<Body>(service: string, place: string, window?: Window): Promise<Body>
  /** Reads the effective facets of a service. */
  facetsOf(service: string, window?: Window): Promise<string[]>
  /** Reads the labels of a facet for a service. */
  statesOf(service: string, slug: string, window?: Window): Promise<string[]>
  override(service: string, overrides: Partial<Schemas['FacetOverridesReplacement']>, sent?: Sent): Promise<Answer>
  addRule(service: string, rule: Partial<Schemas['FacetMappingCreate']>, sent?: Sent): Promise<Answer<Mapping>>
  /** Reads the ids and counts of a list with `explain`. */
  explain(service: string, window?: Window): Promise<NonNullable<MappingPage['explain']>>
  /** Creates a custom facet and returns its slug. */
  createFacet(name: string): Promise<string>
}

/** Returns the time a number of seconds after the start of the drawn traces. */
export function seconds(from: number, to: number): Window {
  const at = (second: number) => drawnStartNs + BigInt(second) * 1_000_000_000n
  return { fromNs: at(from), toNs: at(to) }
}

export function rangeOf({ fromNs, toNs }: Window = seconds(0, 60)): string {
  return `${new URLSearchParams({ from: toRfc3339(fromNs), to: toRfc3339(toNs) })}`
}

export function pathOf(service: string, place: string): string {
  return `/services/${encodeURIComponent(service)}/${place}`
}

/** Starts one server for all tests of a file. The returned function creates an organization with the drawn traces. */
export function sharedFacetApp(): (drawn?: string) => Promise<FacetTenant> {
  const newTenant = sharedApp()
  return async (drawn = '') => {
    const facets = facetTenant(newTenant())
    await facets.store(drawTraces(drawn, { org: facets.tenant.org }))
    return facets
  }
}

const rule: Schemas['FacetMappingCreate'] = {
  attribute_source: 'span',
  attribute_key: 'http.route',
  match_operator: 'exists',
  set_io_kind: 'http',
  set_io_role: 'input',
}

function facetTenant(tenant: Tenant): FacetTenant {
  const { ask, app, org } = tenant
  const read: FacetTenant['read'] = async <Body>(service: string, place: string, window?: Window) => {
    const path = `${pathOf(service, place)}${place.includes('?') ? '&' : '?'}${rangeOf(window)}`
    return readOk<Body>(await ask('GET', path), 200)
  }
  const facetsOf = async (service: string, window?: Window) =>
    (await read<Overrides>(service, 'facet-overrides', window)).facets
  return {
    tenant,
    ask,
    read,
    async store(spans) {
      if (spans.length > 0) await app.sendSpans(toOtlpJson(spans), { org })
    },
    facetsOf: async (service, window) =>
      (await facetsOf(service, window)).filter(({ effective }) => effective).map(({ slug }) => slug),
    statesOf: async (service, slug, window) =>
      (await facetsOf(service, window)).find((facet) => facet.slug === slug)?.state ?? [],
    override: (service, overrides, sent = {}) =>
      ask('PUT', `${pathOf(service, 'facet-overrides')}?${rangeOf()}`, {
        ...sent,
        body: { include: [], exclude: [], ...overrides },
      }),
    addRule: (service, change, sent = {}) =>
      ask<Mapping>('POST', pathOf(service, 'facet-mappings'), { ...sent, body: { ...rule, ...change } }),
    async explain(service, window) {
      const { explain } = await read<MappingPage>(service, 'facet-mappings?explain=true', window)
      return explain as NonNullable<MappingPage['explain']>
    },
    createFacet: async (name) =>
      readOk<Schemas['Facet']>(await ask('POST', '/service-facets', { body: { name } }), 201).slug,
  }
}

function readOk<Body>({ status, body }: Answer, expected: number): Body {
  expect(status, JSON.stringify(body)).toBe(expected)
  return body as Body
}

import {
  type Bounds,
  classificationCounts,
  type ProfiledSpanRow,
  type ProfileOptions,
  profileSettings,
  readProfile,
  type ServiceRules,
  type Sql,
  serviceProfiles,
  servicesAfter,
  type TextPosition,
} from '#sql'
import type { Deps } from '../feature.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'
import { builtInFacets, coreSlug, detectFacets } from './built-in-facets.ts'
import { type FacetSettings, readFacetSettings } from './facet-settings.ts'
import { effectiveSlugs, facetsOfService, noOverrides, overriddenBy, type ServiceFacet } from './service-facets.ts'

/** A service that has spans in scope. */
export interface DetectedService {
  readonly name: string
  readonly spanCount: number
  readonly errorCount: number
  readonly p95Ns: number
  /** Every facet of the organization in dashboard order. `isEffective` reports whether the service has it. */
  readonly facets: readonly ServiceFacet[]
}

/** A service and whether it has one facet. */
export interface KnownService {
  readonly name: string
  readonly facet: ServiceFacet
}

/** A page of services by name. By default, it starts with the first service and has no limit. */
export interface ServicePage {
  readonly after?: TextPosition
  readonly limit?: number
}

/** Limits detection to some of the spans in scope. */
export interface SpanSelection {
  readonly bounds: Bounds
  /** An upper bound on the number of spans that a service has within the bounds. */
  readonly spanCountMax: number
}

/** The attribute keys that the facets of a service show first, in dashboard order, by the name of the service. */
export type KeyAttributes = ReadonlyMap<string, readonly string[]>

/** Detects facets from spans that another query reads with their profiles. */
export interface ProfiledFacets {
  /** The classification rules that the profiles have to take into account. */
  readonly rules: readonly ServiceRules[]
  /** Returns the key attributes of the services of some spans, which must include every span that counts for them. */
  keyAttributesOf(spans: readonly ProfiledSpan[]): KeyAttributes
}

type ProfiledSpan = Pick<ProfiledSpanRow, 'service' | 'profile'>

/** The numbers of newest spans that were classified by their own `io.kind`, by each rule in order, and not at all. */
export interface ClassificationCounts {
  readonly carried: number
  readonly byRule: readonly number[]
  readonly undecided: number
}

/** Detects facets, with one query for any number of services. */
export interface FacetReader {
  /** Reads the services that have spans in scope, sorted by name. */
  detectServices(telemetry: ScopedTelemetry, page: ServicePage): Promise<DetectedService[]>
  /** Reads the facets of each service. One without spans has `core`, and what it includes if the caller may know it. */
  facetsOf(
    telemetry: ScopedTelemetry,
    services: readonly string[],
    selection?: SpanSelection,
  ): Promise<ReadonlyMap<string, readonly ServiceFacet[]>>
  /** Reads the attribute keys that the facets of each service show first. */
  keyAttributesOf(
    telemetry: ScopedTelemetry,
    services: readonly string[],
    selection: SpanSelection,
  ): Promise<KeyAttributes>
  /** Prepares detection from spans that are read anyway. Returns undefined if that needs too many rules. */
  profiledFacets(telemetry: ScopedTelemetry): Promise<ProfiledFacets | undefined>
  /**
   * Reads one facet of the services that have spans in scope, and then of those that are only named in overrides and
   * that the caller may know of.
   */
  knownServices(telemetry: ScopedTelemetry, slug: string): Promise<KnownService[]>
  countClassified(telemetry: ScopedTelemetry, rules: ServiceRules): Promise<ClassificationCounts>
  /**
   * Reports whether the caller may know the settings of a service. A restricted caller may if a granted rule names the
   * service, or if the service has spans in scope.
   */
  mayKnow(telemetry: ScopedTelemetry, service: string): Promise<boolean>
}

interface ProfileRow {
  readonly service: string
  readonly span_count: string
  readonly error_count: string
  readonly p95_ns: string
  readonly profile: number
}

interface DecidedRow {
  readonly decided_by: number
  readonly span_count: string
}

const countedPartsMax = 256n

/** With more services than this, the query reads all services in scope instead of naming each of them. */
const servicesNamedMax = 500

/**
 * With more rules, a query for the services of a trace, which takes only their rules into account, costs less than all
 * rules in the query for its spans.
 */
const profiledRulesMax = 8

export function createFacetReader({ metadata }: Pick<Deps, 'metadata'>): FacetReader {
  const settingsOf = (telemetry: ScopedTelemetry) => readFacetSettings(metadata.db, telemetry.scope.org)
  const facetsOf: FacetReader['facetsOf'] = async (telemetry, services, selection) =>
    services.length === 0 ? new Map() : readFacetsOf(telemetry, services, await settingsOf(telemetry), selection)
  return {
    facetsOf,
    async keyAttributesOf(telemetry, services, selection) {
      const facets = await facetsOf(telemetry, services, selection)
      return new Map([...facets].map(([service, ofService]) => [service, keyAttributes(ofService)]))
    },
    async profiledFacets(telemetry) {
      const settings = await settingsOf(telemetry)
      const { rules } = settings
      const isSmall = rules.reduce((sum, ofService) => sum + ofService.rules.length, 0) <= profiledRulesMax
      return isSmall ? { rules, keyAttributesOf: (spans) => keyAttributesOfSpans(spans, settings) } : undefined
    },
    async detectServices(telemetry, page) {
      return detect(telemetry, page, await settingsOf(telemetry))
    },
    async knownServices(telemetry, slug) {
      const settings = await settingsOf(telemetry)
      // All facets of thousands of services would be millions of objects.
      const ofService = (name: string, detected: readonly string[]) => ({
        name,
        facet: overriddenBy(settings.overridesOf(name), { slug, detected: detected.includes(slug) }),
      })
      const rows = await readProfiles(telemetry, {}, settings)
      const names = new Set(rows.map(({ service }) => service))
      const others = settings.overriddenServices.filter((name) => !names.has(name) && isNamed(telemetry, name))
      return [
        ...rows.map(({ service, profile }) => ofService(service, detectFacets(readProfile(profile)))),
        ...others.map((service) => ofService(service, [coreSlug])),
      ]
    },
    async countClassified(telemetry, rules) {
      const rows = await read<DecidedRow>(
        telemetry,
        classificationCounts(rules, countedBy(telemetry)),
        'classified spans',
      )
      const countOf = (decider: number) => Number(rows.find((row) => row.decided_by === decider)?.span_count ?? 0)
      return {
        carried: countOf(rules.rules.length + 1),
        byRule: rules.rules.map((_, index) => countOf(index + 1)),
        undecided: countOf(0),
      }
    },
    async mayKnow(telemetry, service) {
      return (
        isNamed(telemetry, service) || (await detectedFacets(telemetry, { services: [service], rules: [] })).size > 0
      )
    },
  }
}

/**
 * Reads with the settings of profiles, unless the caller is restricted. Then the query also contains the walks of the
 * granted slices, which need the short-circuit evaluation that these settings disable (see `gatherShort`).
 */
function read<Row>(telemetry: ScopedTelemetry, query: Sql, label: string): Promise<Row[]> {
  const isRestricted = telemetry.scope.granted !== undefined
  return readInScope<Row>(telemetry, query, label, isRestricted ? {} : { settings: profileSettings })
}

/**
 * Reports whether the caller may know of a service without seeing a span of it. A restricted caller may if a granted
 * rule names the service. A pattern names none: otherwise settings would show which services exist that fit it.
 */
function isNamed({ scope: { granted } }: ScopedTelemetry, name: string): boolean {
  if (granted === undefined) return true
  return granted.some(({ rules }) => rules.some(({ service }) => service.kind === 'exact' && service.text === name))
}

/** Returns the length of the parts of a window by which spans are counted: few enough for thousands of services. */
function countedBy({ scope }: ScopedTelemetry): { readonly countedNs: bigint } {
  const { fromNs, toNs } = scope.window
  return { countedNs: (toNs - fromNs) / countedPartsMax + 1n }
}

async function detect(
  telemetry: ScopedTelemetry,
  page: ServicePage,
  settings: FacetSettings,
): Promise<DetectedService[]> {
  const rows = await readProfiles(telemetry, page, settings)
  return rows.map(({ service, span_count, error_count, p95_ns, profile }) => ({
    name: service,
    spanCount: Number(span_count),
    errorCount: Number(error_count),
    p95Ns: Number(p95_ns),
    facets: withOverrides(service, detectFacets(readProfile(profile)), settings),
  }))
}

async function readProfiles(
  telemetry: ScopedTelemetry,
  page: ServicePage,
  { rules }: FacetSettings,
): Promise<ProfileRow[]> {
  const services = await servicesOf(telemetry, page)
  if (services?.length === 0) return []
  const named = services === undefined ? page : { services }
  const profiles = serviceProfiles({ ...named, ...countedBy(telemetry), rules })
  return read<ProfileRow>(telemetry, profiles, 'service profiles')
}

/**
 * Returns the services of a page that continues a list, which therefore has many: it is faster to find their names
 * first than to read the spans of all services that follow. Returns undefined for any other page.
 */
async function servicesOf(
  telemetry: ScopedTelemetry,
  { after, limit }: ServicePage,
): Promise<readonly string[] | undefined> {
  if (after === undefined || limit === undefined) return undefined
  const rows = await read<{ readonly service: string }>(telemetry, servicesAfter(after, limit), 'services of a page')
  return rows.map(({ service }) => service)
}

async function readFacetsOf(
  telemetry: ScopedTelemetry,
  services: readonly string[],
  settings: FacetSettings,
  selection?: SpanSelection,
): Promise<ReadonlyMap<string, readonly ServiceFacet[]>> {
  const requested = new Set(services)
  const rules = settings.rules.filter(({ service }) => requested.has(service))
  const named = requested.size > servicesNamedMax ? {} : { services }
  const detected = await detectedFacets(telemetry, { ...named, rules, ...selection })
  const known = (service: string) =>
    detected.has(service) || isNamed(telemetry, service) ? settings : { ...settings, overridesOf: () => noOverrides }
  return new Map(
    services.map((service) => [service, withOverrides(service, detected.get(service) ?? [coreSlug], known(service))]),
  )
}

/** Detects the facets of the services that have spans in scope, or of those that are named. */
async function detectedFacets(
  telemetry: ScopedTelemetry,
  options: Pick<ProfileOptions, 'services' | 'rules' | 'bounds' | 'spanCountMax'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const profiles = serviceProfiles({ ...options, ...countedBy(telemetry), isProfileOnly: true })
  const rows = await read<Pick<ProfileRow, 'service' | 'profile'>>(telemetry, profiles, 'facets of services')
  return new Map(rows.map(({ service, profile }) => [service, detectFacets(readProfile(profile))]))
}

function keyAttributesOfSpans(spans: readonly ProfiledSpan[], settings: FacetSettings): KeyAttributes {
  const profiles = new Map<string, number>()
  for (const { service, profile } of spans) profiles.set(service, (profiles.get(service) ?? 0) | profile)
  const ofService = ([service, profile]: readonly [string, number]) =>
    [service, keyAttributes(withOverrides(service, detectFacets(readProfile(profile)), settings))] as const
  return new Map([...profiles].map(ofService))
}

function withOverrides(service: string, detected: readonly string[], settings: FacetSettings): ServiceFacet[] {
  return facetsOfService(detected, settings.overridesOf(service), settings.customSlugs)
}

function keyAttributes(facets: readonly ServiceFacet[]): string[] {
  const slugs = new Set(effectiveSlugs(facets))
  const keys = builtInFacets.flatMap((facet) => (slugs.has(facet.slug) ? facet.keyAttributes : []))
  return [...new Set(keys)]
}

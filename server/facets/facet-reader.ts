import {
  type Bounds,
  classificationCounts,
  profileSettings,
  readProfile,
  type Scope,
  type ServiceRules,
  type Sql,
  serviceProfiles,
} from '#sql'
import type { ClickHouse } from '../clickhouse/client.ts'
import { readInScope } from '../telemetry/scope.ts'
import { coreSlug, detectFacets } from './built-in.ts'
import type { FacetSettings } from './facet-settings.ts'
import { facetsOfService, type ServiceFacet } from './service-facet.ts'

/** What is asked within: organization, window and visibility. Reading ends when `signal` aborts. */
export interface FacetQuestion {
  readonly scope: Scope
  readonly signal: AbortSignal
  /** Only these spans in the scope. */
  readonly bounds?: Bounds
  /** How many of them a service has at most, where that is known. */
  readonly spanCountMax?: number
}

/** One service that has spans in the scope. */
export interface DetectedService {
  readonly name: string
  readonly spanCount: number
  readonly errorCount: number
  readonly p95Ns: number
  /** The whole vocabulary in the order of sections; `isEffective` says which of them the service has. */
  readonly facets: readonly ServiceFacet[]
}

export type KnownService = Pick<DetectedService, 'name' | 'facets'>

/** A page of all services by name; left out, from the first and to the last. */
export interface ServicePage {
  readonly after?: string
  readonly limit?: number
}

/** How many of the newest spans were decided: by their own `io.kind`, by each rule in its order, or not at all. */
export interface ClassificationCounts {
  readonly carried: number
  readonly byRule: readonly number[]
  readonly undecided: number
}

export interface FacetReader {
  /** Services that have spans in the scope, by name, in one query. */
  detectServices(question: FacetQuestion, page: ServicePage): Promise<DetectedService[]>
  /** The facets of each of the services, in one query; one without spans has `core` and what it includes. */
  facetsOf(question: FacetQuestion, services: readonly string[]): Promise<ReadonlyMap<string, readonly ServiceFacet[]>>
  /** Services that have spans in the scope, then those that overrides alone name. */
  knownServices(question: FacetQuestion): Promise<KnownService[]>
  countClassified(question: FacetQuestion, rules: ServiceRules): Promise<ClassificationCounts>
}

export interface FacetReaderParts {
  readonly clickhouse: ClickHouse
  readonly settingsOf: (org: string) => Promise<FacetSettings>
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

/** More services are not named one by one: those of the scope are read, and the ones asked for taken from them. */
const servicesNamedMax = 500

export function createFacetReader({ clickhouse, settingsOf }: FacetReaderParts): FacetReader {
  const read = <Row>({ scope, signal }: FacetQuestion, query: Sql, label: string) =>
    readInScope<Row>({ clickhouse, scope, signal }, query, label, { settings: profileSettings })
  const detect = async (question: FacetQuestion, page: ServicePage, settings: FacetSettings) => {
    const profiles = serviceProfiles({ rules: settings.rules, ...page })
    return (await read<ProfileRow>(question, profiles, 'service profiles')).map((row) => toDetected(row, settings))
  }
  return {
    async detectServices(question, page) {
      return detect(question, page, await settingsOf(question.scope.org))
    },
    async knownServices(question) {
      const settings = await settingsOf(question.scope.org)
      const detected: KnownService[] = await detect(question, {}, settings)
      const names = new Set(detected.map(({ name }) => name))
      const others = settings.overriddenServices.filter((service) => !names.has(service))
      return [...detected, ...others.map((name) => ({ name, facets: vocabulary(name, [coreSlug], settings) }))]
    },
    async facetsOf(question, services) {
      if (services.length === 0) return new Map()
      const settings = await settingsOf(question.scope.org)
      const asked = new Set(services)
      const rules = settings.rules.filter(({ service }) => asked.has(service))
      const { bounds = {}, spanCountMax = Number.POSITIVE_INFINITY } = question
      const named = asked.size > servicesNamedMax ? {} : { services }
      const profiles = serviceProfiles({ rules, bounds, spanCountMax, ...named })
      const rows = await read<ProfileRow>(question, profiles, 'facets of services')
      const detected = new Map(rows.map(({ service, profile }) => [service, detectFacets(readProfile(profile))]))
      return new Map(
        services.map((service) => [service, vocabulary(service, detected.get(service) ?? [coreSlug], settings)]),
      )
    },
    async countClassified(question, rules) {
      const rows = await read<DecidedRow>(question, classificationCounts(rules), 'classified spans')
      const countOf = (decider: number) => Number(rows.find((row) => row.decided_by === decider)?.span_count ?? 0)
      return {
        carried: countOf(rules.rules.length + 1),
        byRule: rules.rules.map((_, index) => countOf(index + 1)),
        undecided: countOf(0),
      }
    },
  }
}

function toDetected({ service, span_count, error_count, p95_ns, profile }: ProfileRow, settings: FacetSettings) {
  return {
    ...{ name: service, spanCount: Number(span_count), errorCount: Number(error_count), p95Ns: Number(p95_ns) },
    facets: vocabulary(service, detectFacets(readProfile(profile)), settings),
  }
}

function vocabulary(service: string, detected: readonly string[], settings: FacetSettings): ServiceFacet[] {
  return facetsOfService(detected, settings.overridesOf(service), settings.customSlugs)
}

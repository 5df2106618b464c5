import type { Scope } from '#sql'
import type { ServiceFacet } from './service-facet.ts'

/** What is asked within: organization, window and visibility. Reading ends when `signal` aborts. */
export interface FacetQuestion {
  readonly scope: Scope
  readonly signal: AbortSignal
}

/** One service that has spans in the scope. */
export interface DetectedService {
  readonly name: string
  readonly spanCount: number
  readonly errorCount: number
  readonly p95Ns: bigint
  /** The whole vocabulary in the order of sections; `isEffective` says which of them the service has. */
  readonly facets: readonly ServiceFacet[]
}

/** Which services a question is about: these, or a page of all by name. */
export type AskedServices =
  | { readonly names: readonly string[] }
  | { readonly after: string | undefined; readonly limit: number | undefined }

export interface FacetReader {
  /** Services that have spans in the scope, by name, in one query. */
  detectServices(question: FacetQuestion, asked: AskedServices): Promise<DetectedService[]>
  /** The facets of each of the services, in one query; one without spans has `core` and what it includes. */
  facetsOf(question: FacetQuestion, services: readonly string[]): Promise<ReadonlyMap<string, readonly ServiceFacet[]>>
}

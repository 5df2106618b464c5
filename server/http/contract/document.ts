import { readFileSync } from 'node:fs'
import { namesInPointer } from '../../problem/json-pointer.ts'

/** The parts of the bundled OpenAPI 3.1 document that the server reads. `npm run generate` writes the document. */
export interface ApiDocument {
  readonly openapi: string
  readonly info: unknown
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly security?: readonly SecurityRequirement[]
}

export type PathItem = Readonly<Record<string, DocumentedOperation>>

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/**
 * Limits of one operation that replace the server's defaults. Its body is a large object of lists of records, which is
 * read record by record; each record has the default limits.
 */
export interface BodyLimits {
  readonly bytes: number
  /** The number of objects, lists and scalars. */
  readonly values: number
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly security?: readonly SecurityRequirement[]
  readonly parameters?: readonly Reference[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, Reference | DocumentedResponse>>
  readonly 'x-body-limits'?: BodyLimits
}

export interface Reference {
  readonly $ref: string
}

export interface DocumentedResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface MediaType {
  readonly schema?: Reference
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

/** The prefix of the operations of this product's own API. */
export const apiPrefix = '/api/v1/'

/** The prefix of the operations that Grafana's data source for Tempo uses (docs/grafana.md). */
export const tempoPrefix = '/tempo/api/'

/** The prefixes of the operations that handlers serve. All other documented operations have their own routers. */
export const handledPrefixes = [apiPrefix, tempoPrefix]

/** Reports whether a handler serves the operations of a path. */
export function isHandledPath(path: string): boolean {
  return handledPrefixes.some((prefix) => path.startsWith(prefix))
}

let bundled: ApiDocument | undefined

/**
 * Returns the document of this release. It is read once, so that servers in one process share what they compile from
 * it.
 */
export function readDocument(): ApiDocument {
  bundled ??= JSON.parse(readFileSync(new URL('../../../openapi/bundle.json', import.meta.url), 'utf8')) as ApiDocument
  return bundled
}

/** Returns the target of a reference, or the value itself. Throws for a dangling reference. */
export function resolveReference<Target>(document: ApiDocument, value: Reference | Target): Target {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as Target
  let found: unknown = document
  for (const name of namesInPointer(value.$ref)) found = (found as Record<string, unknown> | undefined)?.[name]
  if (found === undefined) throw new Error(`The document does not contain ${value.$ref}.`)
  return found as Target
}

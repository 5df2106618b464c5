import { readFileSync } from 'node:fs'

/** The parts of a bundled OpenAPI 3.1 document that the server reads; `npm run generate` makes it from openapi/openapi.yaml. */
export interface ApiDocument {
  readonly openapi: string
  readonly info: unknown
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly security?: readonly SecurityRequirement[]
}

export type PathItem = Readonly<Record<string, DocumentedOperation>>

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** More than the server takes by default. */
export interface BodyLimits {
  readonly bytes: number
  /** Objects, lists and scalars. */
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

/** What the handlers answer stands under this prefix; everything else is documented but answered by routers of its own. */
export const handledPrefix = '/api/v1/'

export function readDocument(): ApiDocument {
  return JSON.parse(readFileSync(new URL('../../openapi/bundle.json', import.meta.url), 'utf8'))
}

/** What a reference points at, or the value itself when it is none. Throws for a reference to nothing. */
export function resolveReference<Target>(document: ApiDocument, value: Reference | Target): Target {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as Target
  const names = value.$ref.replace('#/', '').split('/')
  let found: unknown = document
  for (const name of names)
    found = (found as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')]
  if (found === undefined) throw new Error(`the document refers to ${value.$ref}, which it lacks`)
  return found as Target
}

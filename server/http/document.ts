import { readFileSync } from 'node:fs'

type Json = unknown
type JsonObject = Record<string, Json>

/** The parts of a bundled OpenAPI 3.1 document that the server reads; `npm run generate` makes it from openapi/openapi.yaml. */
export interface ApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly security?: readonly SecurityRequirement[]
}

export type PathItem = Readonly<Record<string, DocumentedOperation>>

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export interface DocumentedOperation {
  readonly operationId: string
  readonly security?: readonly SecurityRequirement[]
  readonly parameters?: readonly Reference[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, Reference | DocumentedResponse>>
}

export interface Reference {
  readonly $ref: string
}

export interface DocumentedResponse {
  readonly description: string
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
  let found: Json = document
  for (const name of names)
    found = (found as JsonObject | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')]
  if (found === undefined) throw new Error(`the document refers to ${value.$ref}, which it lacks`)
  return found as Target
}

/** A deep copy in which every object has passed through `change`, innermost first. Examples are data and stay as they are. */
function mapObjects(node: Json, change: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(node)) return node.map((item) => mapObjects(item, change))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) =>
    key === 'examples' ? [key, value] : [key, mapObjects(value, change)],
  )
  return change(Object.fromEntries(entries))
}

/**
 * The document as Ajv's own `discriminator` takes it. Generators of clients need `mapping`; Ajv refuses it, and finds the
 * branches by the values of the property in each of them.
 */
function withoutMappings(object: JsonObject): JsonObject {
  const discriminator = object.discriminator as JsonObject | undefined
  if (typeof discriminator?.mapping !== 'object') return object
  return { ...object, discriminator: { propertyName: discriminator.propertyName } }
}

/**
 * Requests reach the handlers as they were sent, so that what is stored is what was sent: nothing is filled in. And a query
 * parameter is read by its decoded value: the validator's own rules for it refuse `:` in a moment and the empty key.
 */
function asRequestsAreSent(object: JsonObject): JsonObject {
  if (object.in === 'query') return { ...object, allowReserved: true, allowEmptyValue: true }
  const isTyped = typeof object.type === 'string' || Array.isArray(object.type)
  if (!isTyped || !('default' in object)) return object
  const { default: _, ...rest } = object
  return rest
}

/** The validator's own handling of a discriminator knows only the top of a body and loses its place; one `allOf` turns it off. */
function wrapRequestBody(object: JsonObject): JsonObject {
  const body = object.requestBody as { content: Record<string, JsonObject> } | undefined
  if (body === undefined) return object
  const content = Object.fromEntries(
    Object.entries(body.content).map(([type, media]) => [type, { ...media, schema: { allOf: [media.schema] } }]),
  )
  return { ...object, requestBody: { ...body, content } }
}

/** The document for express-openapi-validator: only what handlers answer (it tries every path on each request). */
export function requestDocument(document: ApiDocument): ApiDocument {
  const handled = Object.entries(document.paths).filter(([path]) => path.startsWith(handledPrefix))
  const changes = [withoutMappings, asRequestsAreSent, wrapRequestBody]
  return mapObjects({ ...document, paths: Object.fromEntries(handled) }, (object) =>
    changes.reduce((changed, change) => change(changed), object),
  ) as ApiDocument
}

/** An answer may carry nothing that the document does not name. Clients tolerate more, so only the check is told so. */
function closeObjects(object: JsonObject): JsonObject {
  const isOpen = object.type === 'object' && 'properties' in object && !('additionalProperties' in object)
  return isOpen ? { ...object, additionalProperties: false } : object
}

/** The document that answers are held against. */
export function responseDocument(document: ApiDocument): ApiDocument {
  return mapObjects(document, (object) => closeObjects(withoutMappings(object))) as ApiDocument
}

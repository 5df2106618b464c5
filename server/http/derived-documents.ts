import { type ApiDocument, type DocumentedOperation, handledPrefix } from './document.ts'

type JsonObject = Record<string, unknown>

/** A deep copy in which every object has passed through `change`, innermost first. Examples are data and stay as they are. */
function mapObjects(node: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(node)) return node.map((item) => mapObjects(item, change))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) =>
    key === 'examples' ? [key, value] : [key, mapObjects(value, change)],
  )
  return change(Object.fromEntries(entries))
}

/**
 * Generators of clients need the `mapping` of a discriminator; Ajv refuses it, and finds the branches by the values of the
 * property in each of them.
 */
function dropMapping(object: JsonObject): JsonObject {
  const discriminator = object.discriminator as JsonObject | undefined
  if (typeof discriminator?.mapping !== 'object') return object
  return { ...object, discriminator: { propertyName: discriminator.propertyName } }
}

/** The document as Ajv takes it, its meaning unchanged. */
export function ajvDocument(document: ApiDocument): ApiDocument {
  return mapObjects(document, dropMapping) as ApiDocument
}

/** An answer may carry nothing that the document does not name. Clients tolerate more, so only the check is told so. */
function closeObject(object: JsonObject): JsonObject {
  const isOpen = object.type === 'object' && 'properties' in object && !('additionalProperties' in object)
  return isOpen ? { ...object, additionalProperties: false } : object
}

/** The document that answers are held against. */
export function responseDocument(document: ApiDocument): ApiDocument {
  return mapObjects(ajvDocument(document), closeObject) as ApiDocument
}

/**
 * Requests reach the handlers as they were sent, so that what is stored is what was sent: nothing is filled in. And a query
 * parameter is read by its decoded value: the validator's own rules for it refuse `:` in a moment and the empty key.
 */
function takeAsSent(object: JsonObject): JsonObject {
  if (object.in === 'query') return { ...object, allowReserved: true, allowEmptyValue: true }
  const isTyped = typeof object.type === 'string' || Array.isArray(object.type)
  if (!isTyped || !('default' in object)) return object
  const { default: _, ...rest } = object
  return rest
}

/** What a request is held against, and no more: the validator walks the whole of its document for every operation. */
function requestSide(operation: DocumentedOperation): JsonObject {
  const { operationId, parameters, requestBody } = operation
  const required = { operationId, responses: { default: { description: '' } } }
  return {
    ...required,
    ...(parameters && { parameters }),
    ...(requestBody && { requestBody: wrapContent(requestBody) }),
  }
}

/** The validator's own handling of a discriminator knows only the top of a body and loses its place; one `allOf` turns it off. */
function wrapContent(body: NonNullable<DocumentedOperation['requestBody']>): JsonObject {
  const content = Object.entries(body.content).map(([type, { schema }]) => [type, { schema: { allOf: [schema] } }])
  return { required: body.required, content: Object.fromEntries(content) }
}

/** The components of one kind that some text refers to, and those that they refer to in turn. */
function reachable(all: Readonly<JsonObject>, kind: string, text: string, found: JsonObject = {}): JsonObject {
  for (const [, name = ''] of text.matchAll(new RegExp(`"#/components/${kind}/([\\w-]+)"`, 'g'))) {
    if (name in found) continue
    found[name] = all[name]
    reachable(all, kind, JSON.stringify(all[name]), found)
  }
  return found
}

/** The document for express-openapi-validator: what handlers answer, and of that only what requests are held against. */
export function requestDocument(document: ApiDocument): ApiDocument {
  const handled = Object.entries(document.paths).filter(([path]) => path.startsWith(handledPrefix))
  const paths = Object.fromEntries(
    handled.map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, requestSide(operation)])),
    ]),
  )
  const parameters = reachable(document.components.parameters ?? {}, 'parameters', JSON.stringify(paths))
  const schemas = reachable(document.components.schemas ?? {}, 'schemas', JSON.stringify([paths, parameters]))
  const { openapi, info } = document
  const slim = { openapi, info, paths, components: { parameters, schemas } }
  return mapObjects(slim, (object) => takeAsSent(dropMapping(object))) as ApiDocument
}

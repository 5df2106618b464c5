import { type ApiDocument, type DocumentedOperation, isHandledPath } from './document.ts'

type JsonObject = Record<string, unknown>

/** Returns a deep copy with `change` applied to every object, innermost first. Examples are copied unchanged. */
function mapObjects(node: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(node)) return node.map((item) => mapObjects(item, change))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) =>
    key === 'examples' ? [key, value] : [key, mapObjects(value, change)],
  )
  return change(Object.fromEntries(entries))
}

/**
 * Removes the `mapping` of a discriminator, which client generators need and Ajv rejects. Ajv finds the branches by the
 * values that each declares for the property.
 */
function dropMapping(object: JsonObject): JsonObject {
  const discriminator = object.discriminator as JsonObject | undefined
  if (typeof discriminator?.mapping !== 'object') return object
  return { ...object, discriminator: { propertyName: discriminator.propertyName } }
}

/**
 * Replaces a union of scalars by a list of types, which reports one fault instead of one per branch. The document has
 * unions, because client generators do not read lists of types. Every other keyword of a branch applies to its type
 * only; numeric formats restrict nothing.
 */
function mergeScalars(object: JsonObject): JsonObject {
  const branches = (object.oneOf ?? []) as readonly JsonObject[]
  if (branches.length === 0 || !branches.every(isScalar)) return object
  const { oneOf: _, ...rest } = object
  const keywords = branches.map(({ type: _type, format: _format, ...keyword }) => keyword)
  return Object.assign({ ...rest, type: branches.map(({ type }) => type) }, ...keywords)
}

function isScalar({ type }: JsonObject): boolean {
  return typeof type === 'string' && ['string', 'number', 'integer', 'boolean'].includes(type)
}

/** The extension that lists the properties of a request which the server ignores, because only it writes them. */
export const readOnlyProperties = 'x-read-only'

/** Accepts any value for the properties that the server ignores. */
function openReadOnly(object: JsonObject): JsonObject {
  const { [readOnlyProperties]: names, ...schema } = object
  if (!Array.isArray(names)) return object
  const open = Object.fromEntries(names.map((name: string) => [name, true]))
  return { ...schema, properties: { ...(schema.properties as JsonObject), ...open } }
}

/** The timestamps that a request may use. `date-time` alone allows more, such as a space instead of `T`. */
export const timestampPattern = '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:?\\d{2})$'

/**
 * Adds the pattern of timestamps. The document has none, because client generators apply it to times that they have
 * parsed.
 */
function addTimestampPattern(object: JsonObject): JsonObject {
  return object.format === 'date-time' ? { ...object, pattern: timestampPattern } : object
}

function forAjv(object: JsonObject): JsonObject {
  return addTimestampPattern(openReadOnly(mergeScalars(dropMapping(object))))
}

/** Returns an equivalent document that Ajv accepts. */
export function ajvDocument(document: ApiDocument): ApiDocument {
  return mapObjects(document, forAjv) as ApiDocument
}

/**
 * Forbids undocumented properties, and times with another offset than `Z`. Only the response check is this strict:
 * clients must tolerate new properties, and may send times with any offset.
 */
function closeObject(object: JsonObject): JsonObject {
  if (object.format === 'date-time') return { ...object, pattern: 'Z$' }
  const isOpen = object.type === 'object' && 'properties' in object && !('additionalProperties' in object)
  return isOpen ? { ...object, additionalProperties: false } : object
}

/** Returns the document that responses are checked against. */
export function responseDocument(document: ApiDocument): ApiDocument {
  return mapObjects(ajvDocument(document), closeObject) as ApiDocument
}

/**
 * Makes the validator leave requests unchanged. Defaults are not filled in, so that records are stored as sent, and
 * query parameters are validated by their decoded value. The validator would otherwise reject `:` in timestamps and
 * empty keys.
 */
function takeAsSent(object: JsonObject): JsonObject {
  if (object.in === 'query') return { ...textParameter(object), allowReserved: true, allowEmptyValue: true }
  const isTyped = typeof object.type === 'string' || Array.isArray(object.type)
  if (!isTyped || !('default' in object)) return object
  const { default: _, ...rest } = object
  return rest
}

/** Reduces a query parameter that is JSON text to any text. `body-check.ts` parses and checks it. */
function textParameter(parameter: JsonObject): JsonObject {
  const isJson = (parameter.schema as JsonObject).contentMediaType !== undefined
  return isJson ? { ...parameter, schema: { type: 'string' } } : parameter
}

/**
 * Reduces an operation to its parameters, because the validator walks the whole operation. `body-check.ts` checks
 * bodies.
 */
function requestSide({ operationId, parameters }: DocumentedOperation): JsonObject {
  const required = { operationId, responses: { default: { description: '' } } }
  return parameters === undefined ? required : { ...required, parameters }
}

/** The keyword of `body-check.ts` that takes the place of `items`. */
export const boundedItems = 'x-bounded-items'

/**
 * Returns the schemas of the document for the check of bodies. References are absolute, so that the schema of an
 * element can be compiled alone.
 */
export function bodySchemas(document: ApiDocument): Readonly<JsonObject> {
  const change = (object: JsonObject): JsonObject => {
    if (typeof object.$ref === 'string') return { ...object, $ref: `document${object.$ref}` }
    // A tuple has no `items`.
    if (object.type !== 'array' || object.items === undefined) return forAjv(object)
    const { items, ...rest } = object
    return { ...rest, [boundedItems]: items }
  }
  return mapObjects(document.components.schemas, change) as Readonly<JsonObject>
}

/** Returns the components of one kind that a JSON text refers to, directly or through each other. */
function reachable(all: Readonly<JsonObject>, kind: string, text: string, found: JsonObject = {}): JsonObject {
  for (const [, kindFound, name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
    if (kindFound !== kind || name in found) continue
    found[name] = all[name]
    reachable(all, kind, JSON.stringify(all[name]), found)
  }
  return found
}

/**
 * Returns the document for express-openapi-validator: the handled operations, without their bodies and responses.
 */
export function parameterDocument(document: ApiDocument): ApiDocument {
  const handled = Object.entries(document.paths).filter(([path]) => isHandledPath(path))
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
  return mapObjects(slim, (object) => takeAsSent(forAjv(object))) as ApiDocument
}

/** Derives the arguments of tools from the OpenAPI document. */
import {
  type ApiDocument,
  type DocumentedOperation,
  type Reference,
  resolveReference,
} from '../http/contract/document.ts'
import type { HandledOperationId } from '../http/contract/handlers.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** A JSON Schema of the arguments of a tool. Shared schemas are in `$defs`. */
export interface ArgumentsSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  readonly additionalProperties: false
  readonly $defs?: JsonObject
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Reference | JsonObject
}

interface OperationArguments {
  readonly properties: JsonObject
  readonly required: readonly string[]
}

interface DerivedArguments {
  readonly operations: readonly HandledOperationId[]
  readonly without?: readonly string[]
  readonly own?: JsonObject
}

/**
 * Returns the schema of the arguments of a tool: the parameters and the fields of the body of its operations `without`
 * some, and its `own`. An argument is required if every operation requires it.
 */
export function argumentsSchema(
  document: ApiDocument,
  { operations, without = [], own = {} }: DerivedArguments,
): ArgumentsSchema {
  const parts = operations.map((id) => argumentsOf(document, operationOf(document, id)))
  const properties = Object.assign({}, ...parts.map((part) => part.properties), own)
  for (const name of without) delete properties[name]
  const [first, ...others] = parts
  const required = (first?.required ?? []).filter((name) => others.every((part) => part.required.includes(name)))
  const $defs = definitions(document, JSON.stringify(properties))
  const schema = { type: 'object', properties, required, additionalProperties: false } as const
  return Object.keys($defs).length === 0 ? schema : { ...schema, $defs }
}

function operationOf(document: ApiDocument, id: string): DocumentedOperation {
  const all = Object.values(document.paths).flatMap((item) => Object.values(item))
  const found = all.find(({ operationId }) => operationId === id)
  if (found === undefined) throw new Error(`The document has no operation ${id}.`)
  return found
}

function argumentsOf(document: ApiDocument, { parameters = [], requestBody }: DocumentedOperation): OperationArguments {
  const ofParameters = parameters.map((it) => resolveReference<Parameter>(document, it))
  const body = requestBody?.content['application/json']?.schema
  const { properties = {}, required = [] } =
    body === undefined
      ? {}
      : resolveReference<{ properties?: JsonObject; required?: readonly string[] }>(document, body)
  const described = ofParameters
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, schema, description }) => [
      name,
      { ...plain(resolveReference<JsonObject>(document, schema as Reference)), description },
    ])
  return {
    properties: { ...Object.fromEntries(described), ...plain(properties) },
    required: [...ofParameters.filter((each) => each.required).map(({ name }) => name), ...required],
  }
}

/** Returns the schemas that a JSON text refers to, directly or through each other, by their names. */
function definitions(document: ApiDocument, text: string, found: Record<string, unknown> = {}): JsonObject {
  for (const [, name = ''] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) {
    if (name in found) continue
    const schema = plain(document.components.schemas?.[name] as JsonObject)
    found[name] = schema
    definitions(document, JSON.stringify(schema), found)
  }
  return found
}

/** Keywords that only matter to generators of clients, and examples. */
const dropped = ['examples', 'discriminator', 'format']

/** Returns a schema as plain JSON Schema with references into `$defs`. */
function plain(schema: JsonObject): JsonObject {
  return plainValue(schema) as JsonObject
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value === 'string') return value.replace(/^#\/components\/schemas\//, '#/$defs/')
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name, field]) => !isDropped(name, field))
  return Object.fromEntries(kept.map(([name, field]) => [name, plainValue(field)]))
}

/** A property may have the name of a keyword: its value is then a schema. */
function isDropped(name: string, field: unknown): boolean {
  if (name.startsWith('x-')) return true
  if (!dropped.includes(name)) return false
  return name === 'format' ? typeof field === 'string' : name === 'examples' ? Array.isArray(field) : true
}

import { readOnlyProperties } from '../../server/http/contract/derived-documents.ts'
import {
  type ApiDocument,
  type DocumentedOperation,
  type DocumentedResponse,
  isHandledPath,
  readDocument,
  resolveReference,
} from '../../server/http/contract/document.ts'

export type Schema = Readonly<Record<string, unknown>>

export const document: ApiDocument = readDocument()

export const schemas = document.components.schemas as Readonly<Record<string, Schema>>

interface TaggedOperation extends DocumentedOperation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
}

/** Every operation with its id, method and path. */
export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    id: operation.operationId,
    method,
    path,
    operation: operation as TaggedOperation,
  })),
)

export const handledOperations = operations.filter(({ path }) => isHandledPath(path))

export function responsesOf(operation: DocumentedOperation): [status: string, response: DocumentedResponse][] {
  return Object.entries(operation.responses).map(([status, response]) => [
    status,
    resolveReference<DocumentedResponse>(document, response),
  ])
}

/** Returns every schema of the document with its path: the components and the schemas nested in them. */
export function allSchemas(): { readonly at: string; readonly schema: Schema }[] {
  return Object.entries(schemas).flatMap(([name, schema]) => within(name, schema))
}

function within(at: string, schema: Schema): { at: string; schema: Schema }[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const branches = (schema.oneOf ?? []) as Schema[]
  return [
    { at, schema },
    ...properties.flatMap(([name, property]) => within(`${at}.${name}`, property)),
    ...(schema.items ? within(`${at}[]`, schema.items as Schema) : []),
    ...branches.flatMap((branch, index) => within(`${at}|${index}`, branch)),
  ]
}

/** Returns the names of the properties of a request that the server ignores. */
export function readOnlyOf(schema: Schema): readonly string[] {
  return (schema[readOnlyProperties] ?? []) as readonly string[]
}

/** Returns the names of the schemas that the server reads when it reads a schema, including itself. */
function reachableFrom(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const schema = schemas[name] ?? {}
  const ignored = Object.fromEntries(readOnlyOf(schema).map((property) => [property, undefined]))
  const read = { ...schema, properties: { ...(schema.properties as Schema), ...ignored } }
  for (const [, found] of JSON.stringify(read).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    reachableFrom(found ?? '', seen)
  }
  return seen
}

/** Returns the names of the schemas of request bodies, except those of OTLP, which OpenTelemetry defines. */
export function inputSchemas(): Set<string> {
  const names = handledOperations.flatMap(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => nameOf(schema?.$ref)),
  )
  return new Set(names.flatMap((name) => [...reachableFrom(name)]))
}

export function nameOf(reference: string | undefined): string {
  return reference?.replace('#/components/schemas/', '') ?? ''
}

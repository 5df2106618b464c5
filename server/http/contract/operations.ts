import { type Role, roleAllows } from '../../auth/caller.ts'
import { readOnlyProperties } from './derived-documents.ts'
import {
  type ApiDocument,
  type BodyLimits,
  type DocumentedOperation,
  type DocumentedResponse,
  isHandledPath,
  type Reference,
  resolveReference,
  type SecurityRequirement,
} from './document.ts'
import type { OperationId } from './handlers.ts'

/** An operation of the OpenAPI document, reduced to what the server needs. */
export interface Operation {
  readonly id: OperationId
  /** In upper case. */
  readonly method: string
  /** The path template of the document, with `{names}`. */
  readonly path: string
  /** The lowest role that may call the operation; undefined if it needs no authentication. */
  readonly role: Role | undefined
  /** Whether the operation can change something: it does more than GET, and viewers may not call it. */
  readonly isWrite: boolean
  /** Whether the operation is served by a handler behind the validator. */
  readonly isHandled: boolean
  /** The media types of the request body; empty if the operation has no body. */
  readonly requestTypes: readonly string[]
  /** The media types of the response 200, the preferred one first; empty if it has no body. */
  readonly responseTypes: readonly string[]
  /** The reference of the schema of a JSON body; undefined if the operation has none. */
  readonly bodySchema: string | undefined
  /** The properties of a JSON body that the server ignores, so that a client can send back a record that it read. */
  readonly readOnly: readonly string[]
  /** The names of the header parameters, as the document spells them. */
  readonly headerNames: readonly string[]
  /** The names of the query parameters. */
  readonly queryNames: readonly string[]
  /** The names of the query parameters that are integers. */
  readonly integerNames: readonly string[]
  /** The names of the query parameters that are JSON text, with the references of their schemas. */
  readonly jsonParameters: readonly { readonly name: string; readonly schema: string }[]
  /** The `x-body-limits` of the document; undefined if the default limits apply. */
  readonly bodyLimits: BodyLimits | undefined
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: Reference & { readonly contentSchema?: Reference }
}

interface InputSchema {
  readonly [readOnlyProperties]?: readonly string[]
}

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** Lists the operations of the document. Throws for an operation whose security is not a single role. */
export function listOperations(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const documented = item[method]
      return documented === undefined ? [] : [readOperation(document, path, method, documented)]
    }),
  )
}

function readOperation(
  document: ApiDocument,
  path: string,
  method: string,
  documented: DocumentedOperation,
): Operation {
  const parameters = (documented.parameters ?? []).map((it) => resolveReference<Parameter>(document, it as Reference))
  const namesIn = (part: string) => parameters.filter((each) => each.in === part).map(({ name }) => name)
  const bodySchema = documented.requestBody?.content['application/json']?.schema
  const { [readOnlyProperties]: readOnly = [] } =
    bodySchema === undefined ? {} : resolveReference<InputSchema>(document, bodySchema)
  const role = readRole(documented.operationId, documented.security ?? document.security)
  return {
    id: documented.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    role,
    isWrite: method !== 'get' && role !== undefined && !roleAllows('viewer', role),
    isHandled: isHandledPath(path),
    requestTypes: Object.keys(documented.requestBody?.content ?? {}),
    responseTypes: Object.keys(responseOf(document, documented)?.content ?? {}),
    bodySchema: bodySchema?.$ref,
    readOnly,
    headerNames: namesIn('header'),
    queryNames: namesIn('query'),
    integerNames: parameters.filter((each) => each.in === 'query' && isInteger(document, each)).map(({ name }) => name),
    jsonParameters: parameters.flatMap(({ name, schema: { contentSchema } = {} }) =>
      contentSchema === undefined ? [] : [{ name, schema: contentSchema.$ref }],
    ),
    bodyLimits: documented['x-body-limits'],
  }
}

function isInteger(document: ApiDocument, { schema }: Parameter): boolean {
  return schema !== undefined && resolveReference<{ readonly type?: string }>(document, schema).type === 'integer'
}

function responseOf(document: ApiDocument, { responses }: DocumentedOperation): DocumentedResponse | undefined {
  const found = responses['200']
  return found && resolveReference<DocumentedResponse>(document, found)
}

/**
 * Reads the role of an operation: `[]` requires no authentication, `[{bearer: [role]}]` a role. Throws for anything
 * else, so that a mistake cannot open an endpoint.
 */
function readRole(id: string, security: readonly SecurityRequirement[] | undefined): Role | undefined {
  if (security?.length === 0) return undefined
  const [role, ...others] = security?.[0]?.bearer ?? []
  if (security?.length !== 1 || role === undefined || others.length > 0) {
    throw new Error(`The security of ${id} must be one bearer role.`)
  }
  return role as Role
}

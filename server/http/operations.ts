import type { Role } from '../auth/caller.ts'
import {
  type ApiDocument,
  type BodyLimits,
  type DocumentedOperation,
  handledPrefix,
  type Reference,
  resolveReference,
  type SecurityRequirement,
} from './document.ts'
import type { OperationId } from './handlers.ts'

/** One operation of the document, as the server uses it. */
export interface Operation {
  readonly id: OperationId
  /** In capitals. */
  readonly method: string
  /** As in the document, with `{names}`. */
  readonly path: string
  /** The least role that may call it; undefined when anyone may. */
  readonly role: Role | undefined
  /** Answered by a handler behind the validator. */
  readonly isHandled: boolean
  /** The media types of its request body; empty when it takes none. */
  readonly requestTypes: readonly string[]
  /** The header parameters, as the document spells them. */
  readonly headerNames: readonly string[]
  /** `x-body-limits` of the document: what its body may hold, where that is not what any other body may. */
  readonly bodyLimits: BodyLimits | undefined
}

interface Parameter {
  readonly name: string
  readonly in: string
}

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** Every operation of the document. Throws when one has no id or no security that can be read. */
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
  return {
    id: documented.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    role: readRole(documented.operationId, documented.security ?? document.security),
    isHandled: path.startsWith(handledPrefix),
    requestTypes: Object.keys(documented.requestBody?.content ?? {}),
    headerNames: parameters.filter((parameter) => parameter.in === 'header').map((parameter) => parameter.name),
    bodyLimits: documented['x-body-limits'],
  }
}

/** `[]` is open to all, `[{bearer: [role]}]` needs the role; anything else is a fault of the document, never an open door. */
function readRole(id: string, security: readonly SecurityRequirement[] | undefined): Role | undefined {
  if (security?.length === 0) return undefined
  const [role, ...others] = security?.[0]?.bearer ?? []
  if (security?.length !== 1 || role === undefined || others.length > 0) {
    throw new Error(`the security of ${id} is not one bearer role`)
  }
  return role as Role
}

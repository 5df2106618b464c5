/** The part of an OpenAPI operation that decides which errors it can answer with. */
export interface OperationNode {
  readonly parameters?: readonly { readonly $ref?: string }[]
  readonly requestBody?: unknown
  readonly responses: Record<string, { readonly $ref?: string }>
}

/**
 * Which error responses an operation declares without saying so, by status code: the name of the file in
 * `openapi/responses`, and the operations that can answer with it. A path file states only the successes and the errors
 * that no rule here implies, such as 409.
 */
const defaults: Readonly<Record<string, readonly [file: string, applies: (traits: Traits) => boolean]>> = {
  '400': ['bad-request', () => true],
  '401': ['unauthorized', () => true],
  '403': ['forbidden', () => true],
  '404': ['not-found', ({ namesRecord }) => namesRecord],
  '412': ['version-mismatch', ({ takes }) => takes('if-match')],
  '413': ['payload-too-large', ({ hasBody }) => hasBody],
  '415': ['unsupported-media-type', ({ hasBody }) => hasBody],
  '422': ['refused', ({ method, hasBody, takes }) => (method === 'post' && hasBody) || takes('from')],
  '429': ['too-many-requests', () => true],
  '503': ['unavailable', () => true],
  default: ['default', () => true],
}

interface Traits {
  readonly method: string
  /** The path holds the id or the name of a record. */
  readonly namesRecord: boolean
  readonly hasBody: boolean
  /** Reports whether the operation takes the parameter of this file in `openapi/parameters`. */
  readonly takes: (parameter: string) => boolean
}

/**
 * Adds the default error responses to an operation of the API, as references relative to `openapi/paths`. Operations
 * outside `/api/v1` are left alone: OTLP and the endpoints for operators declare all of their responses.
 * @throws Error for an operation that states a default response itself
 */
export function addDefaultResponses(path: string, method: string, operation: OperationNode): void {
  if (!path.startsWith('/api/v1/')) return
  const parameters = (operation.parameters ?? []).map(({ $ref }) => $ref)
  const traits: Traits = {
    method,
    namesRecord: path.includes('{'),
    hasBody: operation.requestBody !== undefined,
    takes: (parameter) => parameters.includes(`../parameters/${parameter}.yaml`),
  }
  for (const [status, [file, applies]] of Object.entries(defaults)) {
    if (!applies(traits)) continue
    const $ref = `../responses/${file}.yaml`
    if (operation.responses[status]?.$ref === $ref) {
      throw new Error(`${method} ${path} states ${status}, which the generator adds; remove it from the path file`)
    }
    operation.responses[status] ??= { $ref }
  }
}

import { isHandledPath } from '../server/http/contract/document.ts'

/** The part of an OpenAPI operation that decides which errors it can answer with. */
export interface OperationNode {
  readonly parameters?: readonly { readonly $ref?: string }[]
  readonly requestBody?: unknown
  readonly responses: Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, unknown>> }>
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
  '406': ['not-acceptable', ({ offersTypes }) => offersTypes],
  '412': ['version-mismatch', ({ takes }) => takes('if-match')],
  '413': ['payload-too-large', ({ hasBody }) => hasBody],
  '415': ['unsupported-media-type', ({ hasBody }) => hasBody],
  '422': [
    'refused',
    ({ method, hasBody, takes }) => (method === 'post' && hasBody) || takes('from') || takes('tempo-start'),
  ],
  '429': ['too-many-requests', () => true],
  '503': ['unavailable', () => true],
  default: ['default', () => true],
}

interface Traits {
  readonly method: string
  /** The path holds the id or the name of a record. */
  readonly namesRecord: boolean
  readonly hasBody: boolean
  /** The response 200 has several media types. */
  readonly offersTypes: boolean
  /** Reports whether the operation takes the parameter of this file in `openapi/parameters`. */
  readonly takes: (parameter: string) => boolean
}

/**
 * Adds the default error responses to an operation of the API, as references relative to `openapi/paths`, or to an
 * OTLP operation. The endpoints for operators declare all of their responses.
 * @throws Error for an operation that states a default response itself
 */
export function addDefaultResponses(path: string, method: string, operation: OperationNode): void {
  if (/^\/v1\//.test(path)) Object.assign(operation.responses, Object.fromEntries(otlpErrors.map(otlpResponse)))
  if (!isHandledPath(path)) return
  const parameters = (operation.parameters ?? []).map(({ $ref }) => $ref)
  const traits: Traits = {
    method,
    namesRecord: path.includes('{'),
    hasBody: operation.requestBody !== undefined,
    offersTypes: Object.keys(operation.responses['200']?.content ?? {}).length > 1,
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

/** The error responses of OTLP: HTTP status, `google.rpc.Code`, description, and the message of the example. */
const otlpErrors = [
  ['400', 3, 'The body cannot be decoded. Do not retry.', 'The body is not a valid OTLP request.'],
  ['401', 16, 'The credential is missing, invalid or expired.', 'Send a JWT or an API key as a bearer token.'],
  ['403', 7, 'The role of the caller does not allow sending telemetry.', 'This operation requires the role ingest.'],
  ['413', 3, 'The body is too large, compressed or decompressed.', 'The body is too large.'],
  [
    '415',
    3,
    'The media type or the content encoding is not supported.',
    'Send application/x-protobuf or application/json.',
  ],
  ['429', 8, 'Too many requests are in progress. Retry later.', 'Too many bytes in flight. Retry later.'],
  ['503', 14, 'The store is unavailable. Retry later.', 'The storage engine is starting.'],
  ['default', 13, 'Any other error.', 'Internal server error.'],
] as const

/** The headers of error responses, by status. */
const otlpHeaders: Readonly<Record<string, readonly [name: string, file: string]>> = {
  '401': ['WWW-Authenticate', 'www-authenticate'],
  '415': ['Accept-Encoding', 'accept-encoding'],
  '429': ['Retry-After', 'retry-after'],
  '503': ['Retry-After', 'retry-after'],
}

function otlpResponse([status, code, description, message]: (typeof otlpErrors)[number]) {
  const [header, file] = otlpHeaders[status] ?? []
  const headers = header && { headers: { [header]: { $ref: `../headers/${file}.yaml` } } }
  const json = {
    schema: { $ref: '../schemas/rpc-status.yaml' },
    examples: { status: { summary: description, value: { code, message } } },
  }
  const protobuf = { schema: { $ref: '../schemas/protobuf.yaml' } }
  const content = { 'application/json': json, 'application/x-protobuf': protobuf }
  return [status, { description, ...headers, content }]
}

/** JSON-RPC 2.0, as far as the Model Context Protocol uses it. */

/** A request, or a notification if it has no id. */
export interface RpcMessage {
  readonly id: string | number | undefined
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

const rpcCodes = {
  malformed: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const

/** An error that is answered as one of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number
  /** The status of a response that says nothing but this error. */
  readonly status: 400 | 404
  readonly data: object | undefined

  constructor(code: keyof typeof rpcCodes, message: string, data?: object) {
    super(message)
    this.name = 'RpcError'
    this.code = rpcCodes[code]
    this.status = code === 'unknownMethod' ? 404 : 400
    this.data = data
  }
}

const idCharactersMax = 256

/**
 * Reads a message. Returns undefined for a response, which this server never asks for.
 * @throws RpcError `invalidRequest` for anything that is not a message
 */
export function readMessage(value: unknown): RpcMessage | undefined {
  if (!isObject(value)) throw new RpcError('invalidRequest', 'A message must be an object.')
  const { jsonrpc, id, method, params = {} } = value
  if (jsonrpc !== '2.0') throw new RpcError('invalidRequest', 'The member "jsonrpc" must be "2.0".')
  if (method === undefined && isResponse(value)) return undefined
  if (typeof method !== 'string') throw new RpcError('invalidRequest', 'The member "method" must be a string.')
  if (!isObject(params)) throw new RpcError('invalidRequest', 'The member "params" must be an object.')
  if (id !== undefined && !isId(id))
    throw new RpcError('invalidRequest', `The member "id" must be an integer or at most ${idCharactersMax} characters.`)
  return { id, method, params }
}

function isResponse(value: object): boolean {
  return 'result' in value || 'error' in value
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' ? id.length <= idCharactersMax : Number.isSafeInteger(id)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function resultMessage(id: RpcMessage['id'], result: object): object {
  return { jsonrpc: '2.0', id, result }
}

/** `id` is null if the message could not be read far enough to know it. */
export function errorMessage(id: RpcMessage['id'] | null, { code, message, data }: RpcError): object {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message, ...(data && { data }) } }
}

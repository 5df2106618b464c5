import type { Request, RequestHandler, Response } from 'express'
import { middleware } from 'express-openapi-validator'
import { parameterDocument } from '../contract/derived-documents.ts'
import type { ApiDocument } from '../contract/document.ts'
import { listOperations, type Operation } from '../contract/operations.ts'
import { matchOf, requestContext } from '../request/request-context.ts'
import { checkBody } from './body-check.ts'
import { checkQueryEncoding, checkQueryIntegers, checkQueryTexts } from './query-check.ts'

/**
 * The middleware of express-openapi-validator in two halves, with authentication between them: `match` finds the
 * operation and `check` validates the parameters. `checkBody` validates the parsed body. `warmUp` compiles every schema
 * ahead of the first request.
 */
export interface Validator {
  readonly match: readonly RequestHandler[]
  readonly check: readonly RequestHandler[]
  readonly checkBody: RequestHandler
  warmUp(): Promise<void>
}

/** The name, in the pinned version, of the last handler that finds the operation. A test checks the names. */
const matchEndsWith = 'metadataMiddleware'

export function createValidator(document: ApiDocument, operations: readonly Operation[]): Validator {
  const chain = middleware({
    apiSpec: parameterDocument(document) as never,
    // The document is linted when it is generated.
    validateApiSpec: false,
    validateSecurity: false,
    validateResponses: false,
    validateRequests: { allErrors: true } as never,
    fileUploader: false,
    // The fast formats would accept dates such as February 30.
    ajvFormats: { mode: 'full' },
  }) as unknown as (RequestHandler & { name: string })[]
  const matchLength = chain.findIndex((handler) => handler.name === matchEndsWith) + 1
  if (matchLength === 0) throw new Error(`express-openapi-validator no longer has ${matchEndsWith}.`)
  return {
    match: [answerHeadAsGet, ...chain.slice(0, matchLength), rememberOperation(operations)],
    check: [checkQueryEncoding, checkQueryIntegers, ...chain.slice(matchLength), checkQueryTexts],
    checkBody: checkBody(document, operations),
    warmUp: () => warmUp(chain, operations),
  }
}

const compiled = new WeakMap<ApiDocument, Promise<Validator>>()

/**
 * Returns the validator of a document with every schema compiled. Compiling takes half a second of CPU time, so servers
 * in one process share the validator of their document.
 */
export function compiledValidator(document: ApiDocument): Promise<Validator> {
  const known = compiled.get(document) ?? compileValidator(document)
  compiled.set(document, known)
  return known
}

async function compileValidator(document: ApiDocument): Promise<Validator> {
  const validator = createValidator(document, listOperations(document))
  await validator.warmUp()
  return validator
}

/** Serves HEAD as GET. Node omits the body of the response, because it knows the original method. */
const answerHeadAsGet: RequestHandler = (request, _response, next) => {
  if (request.method === 'HEAD') request.method = 'GET'
  next()
}

function rememberOperation(operations: readonly Operation[]): RequestHandler {
  const byId = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]))
  return (request, response, next) => {
    const operation = byId.get(matchOf(request)?.schema?.operationId ?? '')
    if (operation === undefined) throw new Error('The validator passed a request without an operation.')
    requestContext(response).operation = operation
    next()
  }
}

async function warmUp(chain: readonly RequestHandler[], operations: readonly Operation[]): Promise<void> {
  for (const operation of operations.filter((each) => each.isHandled)) {
    const request = warmUpRequest(operation)
    for (const handler of chain) await warmUpHandler(handler, request)
    if (matchOf(request) === undefined) throw new Error(`The validator does not find ${operation.id}.`)
  }
}

/**
 * Returns a request with just the properties that the validator reads. Its verdict does not matter; validating compiles
 * the schemas.
 */
function warmUpRequest({ method, path, requestTypes }: Operation): Request {
  const url = path.replaceAll(/[{}]/g, '')
  return {
    method,
    path: url,
    originalUrl: url,
    baseUrl: '',
    headers: requestTypes[0] === undefined ? {} : { 'content-type': requestTypes[0] },
    query: {},
    params: {},
    body: {},
    app: { enabled: () => false, param: () => undefined },
  } as unknown as Request
}

async function warmUpHandler(handler: RequestHandler, request: Request): Promise<void> {
  try {
    await runHandler(handler, request, {} as Response)
  } catch (fault) {
    // A verdict on the request. Any other error means that a schema does not compile.
    if (!(fault instanceof Error && 'status' in fault && fault.status === 400)) throw fault
  }
}

/** Runs one handler. Resolves when it calls `next`, and rejects with the error that it throws or passes on. */
export function runHandler(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (fault?: unknown) => (fault === undefined ? resolve() : reject(fault))
    try {
      Promise.resolve(handler(request, response, next)).catch(reject)
    } catch (fault) {
      reject(fault)
    }
  })
}

import type { RequestListener } from 'node:http'
import express, { type Express, type RequestHandler, type Response } from 'express'
import helmet from 'helmet'
import type { Authenticate } from '../auth/authenticate.ts'
import type { ReceiveLimits } from '../config/config.ts'
import { createRequestLogger, type Logger } from '../observability/logging.ts'
import type { ReceivedRequest } from '../observability/plain-http.ts'
import type { Prometheus } from '../observability/prometheus.ts'
import { type CallOperation, createOperationCalls } from './call-operation.ts'
import { handledPrefixes, readDocument } from './contract/document.ts'
import type { Handlers } from './contract/handlers.ts'
import { listOperations, type Operation } from './contract/operations.ts'
import { createReferenceRouter } from './reference.ts'
import { canonicalizeMediaType, parseBody, readBodyBytes } from './request/api-body.ts'
import { shareWithOrigins } from './request/cross-origin.ts'
import { authorize, observeRequests, operationName } from './request/request-context.ts'
import { takeOriginForm } from './request/request-target.ts'
import { dispatch } from './response/dispatch.ts'
import { answerProblems, methodNotAllowed } from './response/error-middleware.ts'
import { responseCheckOf } from './response/response-check.ts'
import { ResponseMemory } from './response/response-memory.ts'
import { disconnectStalled, type ResponseLimits } from './response/send-response.ts'
import { nothingAtPath } from './response/unknown-paths.ts'
import { compiledValidator } from './validation/validator.ts'

export interface HttpOptions {
  /** One handler for every operation under `/api/v1` and `/tempo/api`. */
  readonly handlers: Handlers
  readonly authenticate: Authenticate
  /** Serves OTLP (`/v1/traces`, `/v1/metrics`, `/v1/logs`) with its own limits, authentication and errors. */
  readonly otlpRouter: RequestHandler
  /** Serves `/healthz`, `/readyz` and `/metrics`. */
  readonly healthRouter: RequestHandler
  /** Serves the console and its sign-in. Absent where the console is off. */
  readonly consoleRouter?: RequestHandler | undefined
  /** Creates the router of an entry point that calls operations from within the server. */
  readonly createToolsRouter?: ((call: CallOperation) => RequestHandler) | undefined
  readonly limits: ReceiveLimits & ResponseLimits
  /** The address of this server. The document names its path, and cookies are sent below it. */
  readonly publicUrl?: string | undefined
  /** Origins whose pages may use the API; none by default. */
  readonly corsOrigins?: readonly string[]
  readonly logger: Logger
  /** Takes every request, and logs the first credential that is not encrypted. */
  readonly warnOfPlainCredential: (request: ReceivedRequest) => void
  readonly metrics?: Prometheus['http']
  /** Checks every response against the document and turns a mismatch into a 500 that explains it. For tests. */
  readonly checkResponses?: boolean
}

/**
 * Creates the listener that serves the handlers. Resolves after every schema has been compiled, so that no request
 * waits for it. Rejects when an operation has no handler, or a handler no operation.
 */
export async function createHttp(options: HttpOptions): Promise<RequestListener> {
  const document = readDocument()
  const operations = listOperations(document)
  checkHandlers(operations, options.handlers)
  const validator = await compiledValidator(document)

  const checkResponse = options.checkResponses ? responseCheckOf(document) : undefined
  const { limits } = options
  const memory = new ResponseMemory(limits.responseBytesMax)
  const app = createApp()
  app.use(createRequestLogger(options.logger, (response) => operationName(response as Response)))
  app.use(disconnectStalled(limits))
  if (options.metrics) app.use(observeRequests(options.metrics, operations))
  app.use((request, _response, next) => {
    options.warnOfPlainCredential(request)
    next()
  }, secureHeaders())
  app.use(shareWithOrigins(options.corsOrigins ?? []))
  app.use(options.healthRouter)
  app.use(options.otlpRouter)
  app.use(createReferenceRouter(document, options.publicUrl))
  if (options.consoleRouter) app.use(options.consoleRouter)
  const callOperation = createOperationCalls({
    handlers: options.handlers,
    operations,
    validator,
    checkResponse,
    memory,
  })
  if (options.createToolsRouter) app.use(options.createToolsRouter(callOperation))
  app.use(handledPrefixes, forbidCaching, ...validator.match)
  app.use(handledPrefixes, authorize(options.authenticate, options))
  app.use(handledPrefixes, canonicalizeMediaType(), readBodyBytes(limits), ...validator.check)
  app.use(handledPrefixes, parseBody(), validator.checkBody)
  app.use(handledPrefixes, dispatch(options.handlers, checkResponse, memory))
  app.use(answerUnmatched(operations))
  app.use(answerProblems(checkResponse, operations))
  return takeOriginForm(app)
}

function createApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  // Entity tags are versions of records. Express would add hashes of responses.
  app.disable('etag')
  // The version of a record says nothing about the telemetry and the other records in a response, so no response may be
  // left out because the client has its version.
  Object.defineProperty(app.request, 'fresh', { value: false })
  app.enable('case sensitive routing')
  app.set('trust proxy', false)
  return app
}

/**
 * Sets headers for responses that are pure data: browsers must not run, frame or sniff them, and no other origin may
 * read them.
 */
function secureHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
    // It would bind every port and subdomain of the host for a year, so it is up to the operator.
    strictTransportSecurity: false,
  })
}

const forbidCaching: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store')
  next()
}

/** Responds to requests that no router took: 405 for a known path with another method, otherwise 404. */
function answerUnmatched(operations: readonly Operation[]): RequestHandler {
  return (request) => {
    // Routers ignore a slash at the end.
    const allowed = operations
      .filter(({ path }) => path === request.path.replace(/\/$/, ''))
      .map(({ method }) => method)
    if (allowed.length > 0) throw methodNotAllowed(allowed.join(', '))
    throw nothingAtPath(request.path, operations)
  }
}

function checkHandlers(operations: readonly Operation[], handlers: Handlers): void {
  const wanted = operations.filter((operation) => operation.isHandled).map((operation) => operation.id as string)
  const given = Object.entries(handlers).flatMap(([id, handler]) => (typeof handler === 'function' ? [id] : []))
  const faults = [
    ...wanted.filter((id) => !given.includes(id)).map((id) => `${id} has no handler`),
    ...given.filter((id) => !wanted.includes(id)).map((id) => `the handler ${id} has no operation`),
  ]
  if (faults.length > 0) throw new Error(`The handlers do not match the document: ${faults.join(', ')}`)
}

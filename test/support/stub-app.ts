import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RequestHandler, Router } from 'express'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { Credential } from '../../server/auth/authenticate.ts'
import { type Caller, type Role, roles } from '../../server/auth/caller.ts'
import type { HandlerRequest, Handlers } from '../../server/http/contract/handlers.ts'
import { createHttp, type HttpOptions } from '../../server/http/create-http.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { problem } from '../../server/problem/problem.ts'
import { handledOperations, responsesOf } from './documented-operations.ts'

export interface StubApp {
  readonly url: string
  /** Returns the parsed log lines so far. */
  readonly logLines: () => Record<string, unknown>[]
  /** The requests that reached a handler, oldest first. */
  readonly handled: HandlerRequest[]
  close(): void
  /** Sends a request with the token of an admin, unless the headers contain another. */
  send(
    method: string,
    path: string,
    init?: { headers?: Record<string, string>; body?: string | Uint8Array },
  ): Promise<Response>
  /** Posts a body as JSON. */
  post(path: string, body: unknown): Promise<Response>
}

const caller = (role: Role): Caller => ({ org: 'acme', role, subject: 'ada' })

/** Accepts `Bearer <role>` as a caller with that role. */
export async function authenticateRole(credential: Credential): Promise<Caller> {
  const role = (typeof credential === 'string' ? credential.replace('Bearer ', '') : undefined) as Role
  if (roles.includes(role)) return caller(role)
  throw problem('unauthenticated', 'Send a token.', { headers: { 'WWW-Authenticate': 'Bearer realm="tracefold"' } })
}

/** Returns a handler that responds with the first documented example of the operation's success. */
function exampleHandler({ operation }: (typeof handledOperations)[number]): () => object {
  const success = responsesOf(operation).find(([status]) => status < '300')
  if (success === undefined) throw new Error(`${operation.operationId} documents no success.`)
  const [status, { content, headers }] = success
  const [example] = Object.values(content?.['application/json']?.examples ?? {})
  const location = headers?.Location && { Location: '/api/v1/api-keys/01JNB4Y8Z0V6Q3W2R7T5X9K1MD' }
  return () => ({ status: Number(status), headers: location, body: example?.value })
}

const examples = Object.fromEntries(handledOperations.map((each) => [each.id, exampleHandler(each)]))

/** Handlers that respond with the examples of the document, so that a new operation needs no separate stub. */
export const stubHandlers = {
  ...(examples as unknown as Handlers),
  getCaller: ({ caller: { subject, org, role } }) => ({ status: 200, body: { subject, org, role } }),
} satisfies Handlers

function recording(handlers: Handlers, handled: HandlerRequest[]): Handlers {
  const entries = Object.entries(
    handlers as unknown as Record<string, ((request: HandlerRequest) => unknown) | undefined>,
  ).map(([id, handler]) => [
    id,
    handler &&
      ((request: HandlerRequest) => {
        handled.push(request)
        return handler(request)
      }),
  ])
  return Object.fromEntries(entries) as Handlers
}

const nothing: RequestHandler = Router()

export const stubLimits = {
  headersSecondsMax: 15,
  bodySecondsMax: 120,
  bodyStallSecondsMax: 10,
  responseBytesMax: 128 * 1024 ** 2,
  responseStallSecondsMax: 30,
}

export type StubOptions = Partial<Omit<HttpOptions, 'handlers'>> & { handlers?: Partial<Handlers> }

/** Starts the real HTTP layer over stub handlers; closed when the test ends. */
export async function startStubApp(options: StubOptions = {}): Promise<StubApp> {
  const app = await listen(options)
  onTestFinished(app.close)
  return app
}

/** Starts one app for all tests of a file and clears its handled requests before each. */
export function sharedStubApp(options: StubOptions = {}): () => StubApp {
  let app: StubApp | undefined
  beforeAll(async () => {
    app = await listen(options)
  })
  beforeEach(() => {
    app?.handled.splice(0)
  })
  afterAll(() => app?.close())
  return () => app as StubApp
}

async function listen(options: StubOptions): Promise<StubApp> {
  const lines: string[] = []
  const handled: HandlerRequest[] = []
  const app = await createHttp({
    authenticate: authenticateRole,
    otlpRouter: nothing,
    healthRouter: nothing,
    limits: stubLimits,
    logger: createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
    warnOfPlainCredential: () => {},
    checkResponses: true,
    ...options,
    handlers: recording({ ...stubHandlers, ...options.handlers }, handled),
  })
  const server = await new Promise<Server>((resolve) => {
    const listening = createServer(app).listen(0, '127.0.0.1', () => resolve(listening))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    handled,
    logLines: () => lines.map((line) => JSON.parse(line)),
    close() {
      server.closeAllConnections()
      server.close()
    },
    ...senders(url),
  }
}

function senders(url: string): Pick<StubApp, 'send' | 'post'> {
  const send: StubApp['send'] = (method, path, init = {}) =>
    fetch(url + path, { method, ...init, headers: { authorization: 'Bearer admin', ...init.headers } })
  const headers = { 'content-type': 'application/json' }
  return { send, post: (path, body) => send('POST', path, { headers, body: JSON.stringify(body) }) }
}

export interface PlainResponse {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a GET request with any target and exactly these headers. `fetch` changes both. */
export function sendPlain(app: StubApp, path: string, headers: Record<string, string> = {}): Promise<PlainResponse> {
  const { hostname, port } = new URL(app.url)
  const sent = { hostname, port, path, headers: { authorization: 'Bearer admin', ...headers } }
  return new Promise((resolve, reject) => {
    request(sent, async (response) => {
      const { statusCode: status } = response
      resolve({ status, headers: response.headers, text: (await response.setEncoding('utf8').toArray()).join('') })
    })
      .once('error', reject)
      .end()
  })
}

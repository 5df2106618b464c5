/** A typed client of the Tracefold API. */
import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../../openapi/types.ts'
import { type RetryOptions, retryingFetch } from './retry.ts'

export type { components, paths } from '../../openapi/types.ts'
export { items } from './pages.ts'
export { dataOf, type ProblemDocument, TracefoldProblem, UnexpectedResponse } from './problem.ts'
export type { RetryOptions } from './retry.ts'

export interface ClientOptions {
  /** The address of the server, such as `http://127.0.0.1:4318`. */
  readonly url: string
  /** A JWT or an API key, or a function that returns the current one. Absent where a session cookie authenticates. */
  readonly token?: string | (() => string | Promise<string>)
  readonly retry?: RetryOptions
  /** Sends a request in place of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

export type TracefoldClient = Client<paths>

/** Creates a client with one method per HTTP method: `client.POST('/api/v1/messages/search', { body })`. */
export function createClient({ url, token, retry, fetch }: ClientOptions): TracefoldClient {
  const client = createFetchClient<paths>({ baseUrl: url.replace(/\/$/, ''), fetch: retryingFetch(retry, fetch) })
  if (token === undefined) return client
  client.use({
    async onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${typeof token === 'string' ? token : await token()}`)
      return request
    },
  })
  return client
}

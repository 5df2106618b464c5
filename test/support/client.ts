import createClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from '../../openapi/types.ts'
import { type ApiDocument, readDocument } from '../../server/http/contract/document.ts'
import { listOperations, type Operation } from '../../server/http/contract/operations.ts'
import { type ResponseCheck, responseCheckOf } from '../../server/http/response/response-check.ts'

/** A client typed by the document: `client.POST('/api/v1/messages/search', …)`. */
export type ApiClient = Client<paths>

export interface ApiClientOptions {
  /** Without a path, such as `http://127.0.0.1:4318`. */
  readonly baseUrl: string
  /** A JWT or an API key; no `Authorization` header is sent without one. */
  readonly token?: string
  /** How requests are made; `fetch` when a test does not say. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * Creates the client of the end-to-end tests. It checks every response against the document and rejects the call when a
 * response does not match.
 */
export function createApiClient({ baseUrl, token, fetch }: ApiClientOptions): ApiClient {
  const client = createClient<paths>({
    baseUrl,
    ...(fetch && { fetch }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  client.use(checkedAgainst(readDocument()))
  return client
}

function checkedAgainst(document: ApiDocument): Middleware {
  const operations = listOperations(document)
  const check = responseCheckOf(document)
  return {
    async onResponse({ request, response, schemaPath }) {
      const operation = operations.find(({ method, path }) => method === request.method && path === schemaPath)
      if (operation) await checkAnswer(check, operation, response)
      return undefined
    },
  }
}

async function checkAnswer(check: ResponseCheck, { id }: Operation, response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? undefined
  const text = await response.clone().text()
  const isJson = /[/+]json\b/.test(type ?? '')
  check(id, response.status, type, text === '' ? undefined : isJson ? JSON.parse(text) : text)
}

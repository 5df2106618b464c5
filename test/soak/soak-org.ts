import { gzipSync } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'

/** A response of the server. `body` is undefined unless it is JSON. */
export interface SoakResponse {
  readonly status: number
  readonly retryAfterMs: number
  // biome-ignore lint/suspicious/noExplicitAny: a response of any operation; other tests check these
  readonly body: any
}

export interface SoakRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: object
  readonly gzip?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** One organization of the run. All its requests use connections of its own. */
export interface SoakOrg {
  readonly name: string
  readonly token: string
  /** Sends one request. @throws Error when the connection fails */
  send(path: string, options?: SoakRequest): Promise<SoakResponse>
  /** How often the organization got each response that no client should get, such as 500. */
  readonly faults: Map<string, number>
  /** How often the organization got each status. */
  readonly statuses: Map<string, number>
  close(): Promise<void>
}

const responseMsMax = 60_000

export function openSoakOrg(url: () => string, name: string, token: string): SoakOrg {
  const dispatcher = new Agent({ connections: 64, headersTimeout: responseMsMax, bodyTimeout: responseMsMax })
  const faults = new Map<string, number>()
  const statuses = new Map<string, number>()
  return {
    name,
    token,
    faults,
    statuses,
    async send(path, { method = 'POST', body, gzip = false, headers = {} } = {}) {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const response = await request(`${url()}${path}`, {
        method,
        dispatcher,
        headers: {
          authorization: `Bearer ${token}`,
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...(gzip && { 'content-encoding': 'gzip' }),
          ...headers,
        },
        body: text === undefined ? null : gzip ? gzipSync(text) : text,
      })
      const result = await read(response)
      count(statuses, String(result.status))
      if (isFault(result.status)) count(faults, `${result.status} ${method} ${path.replace(/[0-9A-Z]{26}/g, '{id}')}`)
      return result
    },
    close: () => dispatcher.close(),
  }
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

async function read({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<SoakResponse> {
  const text = await body.text()
  const isJson = /[/+]json\b/.test(String(headers['content-type'] ?? ''))
  return {
    status: statusCode,
    retryAfterMs: 1_000 * Number(headers['retry-after'] ?? 1),
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

/** 503 and 429 are expected under chaos, and so are a version that another request changed and a query out of time. */
function isFault(status: number): boolean {
  return status >= 400 && ![404, 408, 409, 412, 422, 429, 503].includes(status)
}

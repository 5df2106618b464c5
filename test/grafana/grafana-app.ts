import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'

/** A data source of Grafana: an organization that no other test uses, and an API key of a viewer. */
export interface DataSource {
  readonly app: TestApp
  readonly org: string
  readonly key: string
  store(spans: readonly SpanModel[]): Promise<void>
  /** Sends a GET request to a path below `/tempo`, with the key unless the headers contain a credential. */
  get(path: string, query?: Readonly<Record<string, string>>, headers?: Record<string, string>): Promise<Response>
  /** Returns the JSON body of a request. @throws Error unless the status is 200 */
  json<Body>(path: string, query?: Readonly<Record<string, string>>): Promise<Body>
}

/** Starts one server for all tests of a file. The returned function creates a new data source each time. */
export function sharedDataSources(): () => Promise<DataSource> {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
  })
  afterAll(() => app.close())
  return () => openDataSource(app)
}

async function openDataSource(app: TestApp): Promise<DataSource> {
  const org = `org-${randomUUID()}`
  const named = { name: 'Grafana', role: 'viewer' }
  const { key } = await app.ask<{ key: string }>('/api/v1/api-keys', { json: named, whom: { org } })
  const get: DataSource['get'] = (path, query = {}, sent = {}) =>
    fetch(`${app.url}/tempo${path}?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${key}`, ...sent },
    })
  return {
    app,
    org,
    key,
    store: async (spans) => app.sendSpans(toOtlpJson(spans), { org, role: 'ingest' }),
    get,
    async json(path, query) {
      const response = await get(path, query)
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response.json() as never
    },
  }
}

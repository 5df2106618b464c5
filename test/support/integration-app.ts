import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { components } from '../../openapi/types.ts'
import type { Env } from '../../server/config/sources.ts'
import { startApp, type TestApp, type Whom } from './app.ts'
import { toOtlpJson } from './span-model.ts'
import { drawTraces } from './trace-text.ts'

export type Integration = components['schemas']['Integration']
export type MatcherInput = components['schemas']['MatcherInput']

export interface Answer<Body = unknown> {
  readonly status: number
  readonly etag: string | null
  readonly location: string | null
  readonly body: Body
  /** The code of a problem and the pointers of its errors. */
  readonly refusal: readonly [code: string | undefined, ...pointers: string[]]
}

export interface Sent {
  readonly body?: unknown
  readonly ifMatch?: string
  readonly whom?: Whom
}

/** An organization that no other test uses, and its API. */
export interface Tenant {
  readonly org: string
  readonly app: TestApp
  /** Sends a request to `path` below `/api/v1`, as an admin unless `whom` is given. */
  ask<Body = unknown>(method: string, path: string, sent?: Sent): Promise<Answer<Body>>
  create(content?: Partial<components['schemas']['IntegrationCreate']>): Promise<Integration>
  read(id: string): Promise<Integration>
}

/** Starts one server for all tests of a file. The returned function creates a new organization each time. */
export function sharedApp(settings: () => Promise<Env> = async () => ({})): () => Tenant {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error', ...(await settings()) } })
  })
  afterAll(() => app.close())
  return () => tenantOf(app)
}

function tenantOf(app: TestApp): Tenant {
  const org = `org-${randomUUID()}`
  const ask: Tenant['ask'] = async (method, path, { body, ifMatch, whom } = {}) => {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
    return readAnswer(await app.send(`/api/v1${path}`, { method, headers, json: body, whom: { org, ...whom } }))
  }
  return {
    org,
    app,
    ask,
    async create(content) {
      const made = await ask<Integration>('POST', '/integrations', { body: { name: randomUUID(), ...content } })
      if (made.status !== 201) throw new Error(`not created: ${JSON.stringify(made.body)}`)
      return made.body
    },
    read: async (id) => (await ask<Integration>('GET', `/integrations/${id}`)).body,
  }
}

async function readAnswer<Body>(response: Response): Promise<Answer<Body>> {
  const text = await response.text()
  const body = text === '' ? undefined : JSON.parse(text)
  const pointers = (body?.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    location: response.headers.get('location'),
    body,
    refusal: [body?.code, ...pointers],
  }
}

/** Exports the records of an organization. */
export async function exportOf({ ask }: Pick<Tenant, 'ask'>): Promise<components['schemas']['ConfigExport']> {
  return (await ask<components['schemas']['ConfigExport']>('GET', '/config/export')).body
}

/** Imports records. More parameters may follow the mode, such as `replace&dry_run=true`. */
export function importInto(
  { ask }: Pick<Tenant, 'ask'>,
  records: object,
  mode = 'merge',
): Promise<Answer<components['schemas']['ConfigImportResult']>> {
  return ask('POST', `/config/import?mode=${mode}`, { body: { format_version: 1, ...records } })
}

/** A matcher with a condition on the attribute `tenant`. */
export function matcher(service: string, change: object = {}): MatcherInput {
  return { service, attribute_key: 'tenant', operator: 'equals', value: 't-1', ...change }
}

/** Returns matchers without their generated ids and groups. */
export function said(matchers: Integration['matchers']): unknown[] {
  return matchers.map(({ id: _, match_group: __, ...rest }) => rest)
}

/** Stores three messages of five minutes ago, within the default window: two with an order, one of them paid. */
export async function storeOrders({ app, org }: Tenant): Promise<void> {
  const startNs = BigInt(Date.now() - 300_000) * 1_000_000n
  const spans = drawTraces(
    `
    web:GET_/          ~100ms
      shop:order       tenant=t-1  ~80ms
        bank:pay       !declined  ~40ms
          shop:refund  !  ~10ms
    ---
    web:GET_/          ~50ms
      shop:order       tenant=t-2  ~30ms
    ---
    web:GET_/
    `,
    { org, startNs },
  )
  await app.sendSpans(toOtlpJson(spans), { org })
}

/** Who may call each operation of the document, and what hostile paths and query strings do, over a real Postgres. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Role, roleAllows } from '../../server/auth/caller.ts'
import { resolveReference } from '../../server/http/contract/document.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { document, handledOperations } from '../support/documented-operations.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'

const roles = ['restricted', 'viewer', 'contributor', 'admin', 'ingest'] as const satisfies readonly Role[]
/** A trace id, so that it is a value of every path parameter. */
const anyId = '5b8efff798038103d269b633813fc60c'

let postgres: Postgres
let app: TestApp
const tokens = new Map<string, string>()
beforeAll(async () => {
  postgres = await startPostgres()
  const env = { METADATA_URL: await postgres.createDatabase(), SECRETS_KEY: '07'.repeat(32), LOG_LEVEL: 'error' }
  app = await startApp({ env })
  for (const role of roles) tokens.set(role, await app.token({ role }))
})
afterAll(async () => {
  await app?.close()
  await postgres?.remove()
})

type Operation = (typeof handledOperations)[number]

async function call(
  { method, path }: Operation,
  role: string | undefined,
  value = anyId,
  query = '',
): Promise<Response> {
  const token = role === undefined ? undefined : tokens.get(role)
  const hasBody = method === 'post' || method === 'put' || method === 'patch'
  return fetch(`${app.url}${path.replaceAll(/\{\w+\}/g, value)}${query}`, {
    method: method.toUpperCase(),
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(hasBody ? { body: '{' } : {}),
  })
}

const cases = handledOperations.map((operation) => [operation.id, operation] as const)

it.each(cases)('%s requires a credential, and a role that the document names', async (_, each) => {
  expect((await call(each, undefined)).status).toBe(401)
  const [required] = Object.values(each.operation.security?.[0] ?? {}).flat() as Role[]
  for (const role of roles) {
    const { status } = await call(each, role)
    if (required !== undefined && roleAllows(role, required)) expect([role, status]).not.toEqual([role, 403])
    else expect([role, status]).toEqual([role, 403])
  }
})

const hostileValues = ['%00', 'a%00b', '%EF%BF%BF', '%F0%9F%92%A9', "'%3B--", '..%2F..', '%25', '-1', 'x'.repeat(4_000)]

it.each(cases)('no path or query string makes %s fail', async (_, each) => {
  const names = (each.operation.parameters ?? [])
    .map((parameter) => resolveReference<{ name: string; in: string }>(document, parameter))
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name)
  for (const value of hostileValues) {
    const answers = [await call(each, 'admin', value)]
    for (const name of names) answers.push(await call(each, 'admin', anyId, `?${name}=${value}`))
    for (const response of answers)
      expect([response.url.slice(0, 200), response.status < 500]).toEqual([expect.anything(), true])
  }
})

it.each([
  ['POST', '/integrations', { name: 'a\u0000b' }],
  ['POST', '/saved-views', { name: 'a\u0000b', rows: [] }],
  ['POST', '/api-keys', { name: 'a\u0000b', role: 'ingest' }],
  ['PUT', '/services/a%00b/facet-overrides', { include: [], exclude: [] }],
  ['POST', '/services/a%00b/facet-mappings', { attribute_key: 'a', match_operator: 'exists' }],
])('a null character, which Postgres cannot store, is refused by %s %s', async (method, path, body) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens.get('admin')}` }
  const response = await app.send(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  expect(response.status).toBe(400)
})

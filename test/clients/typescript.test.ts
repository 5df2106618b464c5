import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, dataOf, items, TracefoldProblem, UnexpectedResponse } from '../../clients/typescript/client.ts'
import { retryingFetch } from '../../clients/typescript/retry.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { handledOperations } from '../support/documented-operations.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

let orgs = 0

/** A client of an organization that no other test uses. */
function newClient() {
  orgs += 1
  const org = `client-${orgs}`
  return createClient({ url: app.url, token: () => app.token({ org, role: 'admin' }) })
}

describe('against a server', () => {
  it('yields the items of all pages in order', async () => {
    const client = newClient()
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) await dataOf(client.POST('/api/v1/integrations', { body: { name } }))
    const listed: string[] = []
    const pages: unknown[] = []
    const read = (cursor: string | undefined) => {
      pages.push(cursor)
      return client.GET('/api/v1/integrations', { params: { query: { limit: 2, ...(cursor && { cursor }) } } })
    }
    for await (const { name } of items(read)) listed.push(name)
    expect(listed.sort()).toEqual(names)
    expect(pages).toHaveLength(3)
  })

  it('requests no page that is not used', async () => {
    const client = newClient()
    for (const name of ['a', 'b', 'c']) await dataOf(client.POST('/api/v1/integrations', { body: { name } }))
    let pages = 0
    const read = () => {
      pages += 1
      return client.GET('/api/v1/integrations', { params: { query: { limit: 1 } } })
    }
    for await (const _ of items(read)) break
    expect(pages).toBe(1)
  })

  it('sends back a record that was read', async () => {
    const client = newClient()
    const made = await dataOf(client.POST('/api/v1/saved-views', { body: { name: 'Slow' } }))
    const params = { path: { id: made.id } }
    const changed = await dataOf(client.PUT('/api/v1/saved-views/{id}', { params, body: { ...made, name: 'Slower' } }))
    expect([changed.id, changed.name, changed.version]).toEqual([made.id, 'Slower', 2])
  })

  it('throws a problem with its code, fields and request id', async () => {
    const client = newClient()
    const body = { from: '2026-03-01T10:00:00Z', to: '2026-03-01T10:00:00+01:00' }
    const problem = await dataOf(client.POST('/api/v1/messages/search', { body })).catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(TracefoldProblem)
    const { status, code, errors, requestId } = problem as TracefoldProblem
    expect([status, code, errors.map(({ pointer }) => pointer)]).toEqual([400, 'invalid_request', ['/from']])
    expect(requestId).toMatch(/^[\w-]+$/)
  })
})

/** Answers requests in turn, and calls `use` with the address and the methods that have arrived. */
async function withServer(
  answers: readonly (readonly [status: number, headers?: Record<string, string>, body?: object])[],
  use: (url: string, arrived: readonly string[]) => Promise<void>,
): Promise<void> {
  const arrived: string[] = []
  const server = createServer((request, response) => {
    const [status, headers = {}, body = { items: [] }] = answers[arrived.length] ?? [500]
    arrived.push(`${request.method} ${request.url}`)
    if (status === 0) return void request.socket.destroy()
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const busy = [503, { 'retry-after': '0' }] as const

describe('against a server that fails', () => {
  it.each([[429], [502], [503], [504]])('repeats a GET after %i', async (status) => {
    await withServer([[status, { 'retry-after': '0' }], [200]], async (url, arrived) => {
      const { response } = await createClient({ url, token: 't' }).GET('/api/v1/saved-views')
      expect([response.status, arrived.length]).toEqual([200, 2])
    })
  })

  it('repeats a request whose connection broke', async () => {
    await withServer([[0], [200]], async (url, arrived) => {
      await dataOf(createClient({ url, token: 't' }).GET('/api/v1/saved-views'))
      expect(arrived).toHaveLength(2)
    })
  })

  it('repeats a search with its body, and a PUT, but no POST that creates', async () => {
    await withServer([busy, [200], busy, [200], busy, [200], busy], async (url, arrived) => {
      const client = createClient({ url, token: 't' })
      const params = { path: { id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD' } }
      await client.POST('/api/v1/messages/search', { body: {} })
      await client.POST('/api/v1/messages/compare', { body: { a: {} } })
      await client.PUT('/api/v1/saved-views/{id}', { params, body: {} })
      const { response } = await client.POST('/api/v1/saved-views', { body: { name: 'x' } })
      expect([response.status, arrived.length]).toEqual([503, 7])
    })
  })

  it.each(handledOperations.filter(({ method }) => method === 'post'))(
    'repeats POST $path if it only reads',
    async ({ id, path, operation }) => {
      const [{ bearer = [] } = {}] = operation.security ?? []
      const onlyReads = id === 'compareIntegration' || bearer.some((role) => ['restricted', 'viewer'].includes(role))
      let sent = 0
      const send = async () => new Response(null, { status: ++sent === 1 ? 503 : 200, headers: { 'retry-after': '0' } })
      await retryingFetch({}, send)(new Request(`http://tracefold${path}`, { method: 'POST' }))
      expect(sent).toBe(onlyReads ? 2 : 1)
    },
  )

  it('repeats a DELETE, or a PUT with If-Match, only if it has not been carried out', async () => {
    const params = { path: { id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD' } }
    const changes = (client: ReturnType<typeof createClient>) => [
      () => client.DELETE('/api/v1/saved-views/{id}', { params }),
      () => client.PUT('/api/v1/saved-views/{id}', { params: { ...params, header: { 'If-Match': '"1"' } }, body: {} }),
    ]
    for (const index of [0, 1])
      await withServer([busy, [429, { 'retry-after': '0' }], [200], [0], [502], [504]], async (url, arrived) => {
        const change = changes(createClient({ url, token: 't' }))[index]
        expect((await change?.())?.response.status).toBe(200)
        expect(arrived).toHaveLength(3)
        await expect(change?.()).rejects.toThrow(TypeError)
        expect((await change?.())?.response.status).toBe(502)
        expect((await change?.())?.response.status).toBe(504)
        expect(arrived).toHaveLength(6)
      })
  })

  it('repeats a PUT without If-Match whose connection broke', async () => {
    await withServer([[0], [200]], async (url, arrived) => {
      const params = { path: { id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD' } }
      await createClient({ url, token: 't' }).PUT('/api/v1/saved-views/{id}', { params, body: {} })
      expect(arrived).toHaveLength(2)
    })
  })

  it('gives up after the attempts, or when Retry-After is too long', async () => {
    await withServer([busy, busy, busy, [503, { 'retry-after': '31' }]], async (url, arrived) => {
      const client = createClient({ url, token: 't', retry: { attempts: 3 } })
      expect((await client.GET('/api/v1/saved-views')).response.status).toBe(503)
      expect(arrived).toHaveLength(3)
      expect((await client.GET('/api/v1/saved-views')).response.status).toBe(503)
      expect(arrived).toHaveLength(4)
    })
  })

  it('waits until the date of Retry-After', async () => {
    await withServer([[503, { 'retry-after': new Date(0).toUTCString() }], [200]], async (url, arrived) => {
      await createClient({ url, token: 't' }).GET('/api/v1/saved-views')
      expect(arrived).toHaveLength(2)
    })
  })

  it('an aborted wait ends the request', async () => {
    await withServer([[503, { 'retry-after': '20' }]], async (url, arrived) => {
      const controller = new AbortController()
      const fetchAndAbort = async (request: Request) => {
        const response = await fetch(request)
        controller.abort()
        return response
      }
      const client = createClient({ url, token: 't', fetch: fetchAndAbort })
      await expect(client.GET('/api/v1/saved-views', { signal: controller.signal })).rejects.toThrow(/abort/)
      expect(arrived).toHaveLength(1)
    })
  })

  it.each([
    ['7', 7],
    [new Date(0).toUTCString(), 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('Retry-After %s of a problem is %s seconds', async (text, seconds) => {
    const headers: Record<string, string> = text === undefined ? {} : { 'retry-after': text }
    const problem = { type: 'about:blank', title: 'Busy', status: 503, detail: 'Too busy.', code: 'unavailable' }
    const answer = [503, headers, problem] as const
    await withServer([answer, answer, [503, headers]], async (url, arrived) => {
      const client = createClient({ url, token: 't', retry: { attempts: 1 } })
      await expect(dataOf(client.GET('/api/v1/saved-views'))).rejects.toMatchObject({ retryAfterSeconds: seconds })
      const error = await dataOf(client.GET('/api/v1/saved-views')).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TracefoldProblem)
      const unexpected = await dataOf(client.GET('/api/v1/saved-views')).catch((thrown: unknown) => thrown)
      expect(unexpected).toBeInstanceOf(UnexpectedResponse)
      expect((unexpected as UnexpectedResponse).retryAfterSeconds).toBe(seconds)
      expect(arrived).toHaveLength(3)
    })
  })

  it('without a token sends none', async () => {
    const sent: (string | null)[] = []
    const record = (request: Request) => {
      sent.push(request.headers.get('authorization'))
      return fetch(request)
    }
    await withServer([[200], [200]], async (url) => {
      await createClient({ url, fetch: record }).GET('/api/v1/saved-views')
      await createClient({ url, fetch: record, token: 't' }).GET('/api/v1/saved-views')
      expect(sent).toEqual([null, 'Bearer t'])
    })
  })

  it('an answer that is no problem document is reported as such', async () => {
    await withServer([[404]], async (url) => {
      const request = dataOf(createClient({ url, token: 't' }).GET('/api/v1/saved-views'))
      await expect(request).rejects.toBeInstanceOf(UnexpectedResponse)
    })
  })
})

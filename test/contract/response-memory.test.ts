import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { HandlerRequest, Handlers } from '../../server/http/contract/handlers.ts'
import { authenticateRole, type StubApp, startStubApp, stubLimits } from '../support/stub-app.ts'

const responseBytesMax = 1024 ** 2

/** Starts a server whose response memory is taken: a client does not read a larger response. */
async function startFull(): Promise<StubApp> {
  async function* pieces() {
    for (let count = 0; count < 64; count++) yield Buffer.alloc(responseBytesMax, ' ')
  }
  const stream = { pieces: pieces(), heldBytes: 2 * responseBytesMax }
  const item = 'x'.repeat(100_000)
  const app = await startStubApp({
    limits: { ...stubLimits, responseBytesMax },
    checkResponses: false,
    handlers: {
      getMessage: (() => ({ status: 200, stream })) as unknown as Handlers['getMessage'],
      listSavedViews: (() => ({ status: 200, body: { items: [item] } })) as unknown as Handlers['listSavedViews'],
      createSavedView: (() => ({ status: 201, body: { item } })) as unknown as Handlers['createSavedView'],
    },
  })
  const unread = request(`${app.url}/api/v1/messages/${'a'.repeat(32)}`, { headers: { authorization: 'Bearer admin' } })
  unread.end()
  const [response] = (await once(unread, 'response')) as [IncomingMessage]
  onTestFinished(() => void response.destroy())
  return app
}

it('a large response is refused while a client has not read another one', async () => {
  const response = await (await startFull()).send('GET', '/api/v1/saved-views')
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
})

it('a small response is not refused', async () => {
  expect((await (await startFull()).send('GET', '/api/v1/me')).status).toBe(200)
})

it.each([
  ['a key, whose text is sent only once', '/api/v1/api-keys', { name: 'checkout', role: 'ingest' }],
  ['a record with a large answer', '/api/v1/saved-views', { name: 'slow', rows: [] }],
])('the creation of %s is never answered as if it had not happened', async (_, path, body) => {
  const app = await startFull()
  const response = await app.post(path, body)
  expect([response.status, app.handled.length]).toEqual([201, 2])
})

/** Requests a response of more than a connection takes, and reads only its head. */
async function leaveUnread(app: StubApp, org: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${org}` }
  const unread = request(`${app.url}/api/v1/messages/${'a'.repeat(32)}`, { headers, agent: false }).end()
  const [response] = (await once(unread, 'response')) as [IncomingMessage]
  onTestFinished(() => void response.destroy())
  return response.statusCode
}

it('organizations share the memory, so that one whose clients do not read leaves some to others', async () => {
  const piece = Buffer.alloc(responseBytesMax, ' ')
  const getMessage = () => {
    const pieces = (async function* () {
      for (let count = 0; count < 64; count++) yield piece
    })()
    return { status: 200, stream: { pieces, heldBytes: 0 } }
  }
  const app = await startStubApp({
    // Memory for sixteen responses, of which one organization gets twelve.
    limits: { ...stubLimits, responseBytesMax: 16 * 1.3 * responseBytesMax },
    checkResponses: false,
    authenticate: async (org) => ({ ...(await authenticateRole('Bearer admin')), org: String(org) }),
    handlers: { getMessage: getMessage as unknown as Handlers['getMessage'] },
  })
  const statuses: (number | undefined)[] = []
  for (let count = 0; count < 14; count++) statuses.push(await leaveUnread(app, 'slow'))
  expect(statuses).toEqual([...Array(12).fill(200), 429, 429])
  expect(await leaveUnread(app, 'other')).toBe(200)
})

it('a response that is made after its client has left takes no memory', async () => {
  const left = new Set<string>()
  const item = 'x'.repeat(100_000)
  const app = await startStubApp({
    limits: { ...stubLimits, responseBytesMax },
    checkResponses: false,
    handlers: {
      listSavedViews: (async ({ query, signal }: HandlerRequest<'listSavedViews'>) => {
        if (query.cursor !== undefined) await once(signal, 'abort')
        left.add(`${query.cursor}`)
        return { status: 200, body: { items: [item] } }
      }) as unknown as Handlers['listSavedViews'],
    },
  })
  for (let count = 0; count < 10; count++) {
    const leaving = request(`${app.url}/api/v1/saved-views?cursor=${count}`, {
      headers: { authorization: 'Bearer admin' },
      agent: false,
    })
    leaving.on('error', () => {}).end()
    await expect.poll(() => app.handled.length).toBe(count + 1)
    leaving.destroy()
    await expect.poll(() => left.has(`${count}`)).toBe(true)
  }
  expect((await app.send('GET', '/api/v1/saved-views')).status).toBe(200)
})

it('a request whose client leaves while it is authenticated is aborted from the start', async () => {
  let socket: Socket | undefined
  const app = await startStubApp({
    warnOfPlainCredential: (received) => {
      socket = received.socket as Socket
    },
    authenticate: async (credential) => {
      if (socket?.destroyed === false) await once(socket, 'close')
      return authenticateRole(credential)
    },
  })
  const leaving = request(`${app.url}/api/v1/me`, { headers: { authorization: 'Bearer admin' } })
  leaving.on('error', () => {}).end()
  await expect.poll(() => socket).toBeDefined()
  leaving.destroy()
  await expect.poll(() => app.handled.length).toBe(1)
  expect(app.handled[0]?.signal.aborted).toBe(true)
})

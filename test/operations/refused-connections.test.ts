import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { makeCertificate } from '../support/certificate.ts'
import { span, request as toRequest } from '../support/otlp-json.ts'
import { remoteEnv } from '../support/remote-engine.ts'
import { openPostgresStore } from '../support/stores.ts'

const certificate = makeCertificate()

/** Accepts every certificate, or only those that a known authority has signed. */
function trust(every: boolean): void {
  if (every) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  else delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
}

/** Starts a ClickHouse server over TLS, which can take the server for another user or refuse its password. */
async function startClickHouse() {
  const { url, headers } = inject('engine')
  let login: string | undefined
  const server = createTlsServer(certificate, (incoming, outgoing) => {
    const asLogin = login === undefined ? {} : { authorization: `Basic ${btoa(login)}` }
    const target = { method: incoming.method, headers: { ...incoming.headers, ...headers, ...asLogin } }
    const forwarded = request(`${url}${incoming.url}`, target, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disconnect: () => server.closeAllConnections(),
    /** Replaces user and password of each request, as `user:password`. */
    changeLogin(changed: string | undefined) {
      login = changed
    },
  }
}

/** Returns the statuses of a body, a search and the readiness, and whether the body is to be sent again. */
async function askAll(app: TestApp) {
  const sent = await app.send('/v1/traces', { json: toRequest(span({})) })
  const found = await app.send('/api/v1/messages/search', { json: {} })
  return [sent.status, sent.headers.has('retry-after'), found.status]
}

it('a ClickHouse that the server does not trust, or that refuses its password or queries, is unavailable', async () => {
  const clickhouse = await startClickHouse()
  onTestFinished(() => trust(false))
  const app = await startApp({ env: remoteEnv(clickhouse.url), beforeReady: true })
  onTestFinished(() => app.close())
  const reasonOf = (message: string) =>
    app.logLines().find(({ msg }) => String(msg).startsWith(message)) as { err: { message: string } } | undefined
  await expect.poll(() => reasonOf('Could not reach a store')?.err.message).toContain('self-signed certificate')
  trust(true)
  await app.app.ready
  expect(await askAll(app)).toEqual([200, false, 200])

  trust(false)
  clickhouse.disconnect()
  expect(await askAll(app)).toEqual([503, true, 503])
  expect(reasonOf('Could not store telemetry')?.err.message).toContain('self-signed certificate')
  trust(true)
  expect(await askAll(app)).toEqual([200, false, 200])

  // The user `default` of the engine has no privileges on tables.
  for (const login of ['tracefold:another', 'default:']) {
    clickhouse.changeLogin(login)
    expect(await askAll(app), login).toEqual([503, true, 503])
  }
  clickhouse.changeLogin(undefined)
  expect(await askAll(app)).toEqual([200, false, 200])
})

it('a ClickHouse that speaks no TLS is unavailable', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const app = await startApp({ env: remoteEnv(`https://127.0.0.1:${port}`), beforeReady: true })
  onTestFinished(() => app.close())
  const reasons = () => app.logLines().map(({ err }) => (err as { message?: string } | undefined)?.message ?? '')
  await expect.poll(reasons).toContainEqual(expect.stringContaining('wrong version number'))
})

it('a Postgres whose certificate is not accepted is unavailable', async () => {
  // Postgres accepts TLS with one letter, after which the client begins it.
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const metadataUrl = `postgres://ada:secret@127.0.0.1:${port}/metadata?sslmode=verify-full`
  const metadata = await openPostgresStore(metadataUrl)
  const cause = { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }
  await expect(sql`select 1`.execute(metadata.db)).rejects.toMatchObject({ code: 'unavailable', cause })
})

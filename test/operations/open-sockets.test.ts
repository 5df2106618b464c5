import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { listenGrpc } from '../../server/lifecycle/grpc-listener.ts'
import { type ListenOptions, listen } from '../../server/lifecycle/listener.ts'
import { openTlsFiles } from '../../server/lifecycle/tls-files.ts'
import { makeCertificate } from '../support/certificate.ts'
import { collectHints } from '../support/hints.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const listeners = {
  http: (options: ListenOptions) => listen((_request, response) => response.end(), options),
  grpc: (options: ListenOptions) => listenGrpc({ ...options, answer: async () => {} }),
}
const kinds = Object.keys(listeners) as (keyof typeof listeners)[]

/** Listens with limits that no test reaches. */
async function open(kind: keyof typeof listeners, withTls: boolean) {
  const limits = { headersSecondsMax: 3_600, bodySecondsMax: 3_600 }
  const options = { host: '127.0.0.1', port: 0, setting: 'PORT', limits, hints: collectHints() }
  if (!withTls) return listeners[kind](options)
  const directory = temporaryFolder()
  const [certFile, keyFile] = [join(directory, 'tls.crt'), join(directory, 'tls.key')]
  const { cert, key } = makeCertificate()
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  const tls = await openTlsFiles({ certFile, keyFile }, silentLogger as never)
  onTestFinished(() => tls.close())
  return listeners[kind]({ ...options, tls })
}

/** Opens a connection, sends bytes over it and returns after the server has accepted it. */
async function connected(url: string, bytes = ''): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket.on('error', () => {}).resume(), 'connect')
  socket.write(bytes)
  // Connections are accepted in order.
  const later = connect(Number(new URL(url).port), '127.0.0.1')
  await once(later.end('\r\n\r\n').resume(), 'close')
  return socket
}

it.each(kinds.flatMap((kind) => [true, false].map((withTls) => ({ kind, withTls }))))(
  'a drain closes a connection at once that has sent nothing: $kind, TLS $withTls',
  async ({ kind, withTls }) => {
    const listener = await open(kind, withTls)
    await connected(listener.url)
    expect(await listener.drain(60)).toBe(0)
  },
)

it.each(kinds)('a drain closes a connection at once over which only TLS has been negotiated: %s', async (kind) => {
  const listener = await open(kind, true)
  const socket = connectTls({ port: Number(new URL(listener.url).port), host: '127.0.0.1', rejectUnauthorized: false })
  // A session ticket arrives after the server has completed the handshake.
  await once(socket.on('error', () => {}).resume(), 'session')
  expect(await listener.drain(60)).toBe(0)
})

it.each(kinds)('a drain cuts a connection at the deadline that does not go on with its handshake: %s', async (kind) => {
  const listener = await open(kind, true)
  await connected(listener.url, '\x16\x03\x01\x01\x00\x01')
  expect(await listener.drain(0.1)).toBe(1)
})

it('the responses that wait behind another one close with their connection', async () => {
  const limits = { headersSecondsMax: 3_600, bodySecondsMax: 3_600 }
  const [begun, closed]: [string[], string[]] = [[], []]
  const answer: RequestListener = ({ url = '' }, response) => {
    begun.push(url)
    response.once('close', () => closed.push(url))
  }
  const listener = await listen(answer, { host: '127.0.0.1', port: 0, setting: 'PORT', limits, hints: collectHints() })
  onTestFinished(async () => void (await listener.drain(0)))
  const paths = ['/first', '/second', '/third']
  const socket = await connected(listener.url, paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
  await expect.poll(() => begun).toEqual(paths)
  socket.destroy()
  await expect.poll(() => closed).toEqual(paths)
})

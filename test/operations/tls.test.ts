import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownAddress } from '../../server/lifecycle/own-address.ts'
import { openTlsFiles, type TlsFiles } from '../../server/lifecycle/tls-files.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type MadeCertificate, makeCertificate } from '../support/certificate.ts'
import { exportPaths } from '../support/grpc-client.ts'

const root = join(import.meta.dirname, '..', '..')

let directory = ''
let app: TestApp | undefined
let files: TlsFiles | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tracefold-tls-'))
})
afterEach(async () => {
  await app?.close()
  await files?.close()
  app = undefined
  files = undefined
  rmSync(directory, { recursive: true })
})

const certFile = () => join(directory, 'tls.crt')
const keyFile = () => join(directory, 'tls.key')

function write({ cert, key }: MadeCertificate): void {
  writeFileSync(certFile(), cert)
  writeFileSync(keyFile(), key)
}

async function startTls(env: Record<string, string> = {}): Promise<{ tls: TestApp; made: MadeCertificate }> {
  const made = makeCertificate()
  write(made)
  app = await startApp({ env: { TLS_CERT_FILE: certFile(), TLS_KEY_FILE: keyFile(), ...env } })
  return { tls: app, made }
}

function get(url: string, ca: string, authorization: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { ca, headers: { authorization } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

function exportOver(url: string, ca: string, authorization: string): Promise<number> {
  // Newer Node.js does not take the address of the server as its name, which the client would send.
  const named = { 'grpc.ssl_target_name_override': 'localhost' }
  const client = new Client(new URL(url).host, credentials.createSsl(Buffer.from(ca)), named)
  const metadata = new Metadata()
  metadata.set('authorization', authorization)
  const asIs = (bytes: Buffer) => bytes
  return new Promise((resolve) => {
    const empty = Buffer.alloc(0)
    client.makeUnaryRequest(exportPaths.traces, asIs, asIs, empty, metadata, (error: ServiceError | null) => {
      client.close()
      resolve(error?.code ?? 0)
    })
  })
}

/** Runs a program of this repository. */
async function run(args: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, { cwd: root, env })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

/** Runs the health check of the containers. */
const probe = (path: string, env: Record<string, string>) => run(['server/launch/probe.mjs', path], env)

const alpn = ['h2', 'http/1.1']

/** Returns the common name of the certificate that a server presents. */
function presentedName(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: alpn })
    socket.once('secureConnect', () => {
      const raw = socket.getPeerCertificate().raw
      socket.destroy()
      resolve(new X509Certificate(raw).subject)
    })
    socket.once('error', reject)
  })
}

describe('a server with a certificate', () => {
  it('serves the API and both protocols of OTLP over TLS, and does not warn of plain HTTP', async () => {
    const { tls, made } = await startTls({ HOST: '0.0.0.0' })
    const { url, grpcUrl } = tls
    expect([url, grpcUrl]).toEqual(Array(2).fill(expect.stringMatching(/^https:\/\/127\.0\.0\.1:/)))
    const authorization = `Bearer ${await tls.token()}`
    expect(await get(`${url}/api/v1/me`, made.cert, authorization)).toBe(200)
    expect(await exportOver(grpcUrl, made.cert, authorization)).toBe(0)
    expect(tls.logLines().filter(({ level }) => level === 'warn')).toEqual([])
  })

  it('is probed over TLS by the health checks of containers', async () => {
    const { tls } = await startTls()
    const env = { PORT: new URL(tls.url).port, TLS_CERT_FILE: certFile() }
    expect(await probe('/readyz', env)).toEqual({ code: 0, output: '' })
    expect(await probe('/nothing', env)).toEqual({ code: 1, output: '' })
    expect(await probe('/readyz', { PORT: env.PORT })).toEqual({ code: 1, output: '' })
  })

  it('is named by a login link', async () => {
    const { tls, made } = await startTls({ HOST: '0.0.0.0' })
    const { host, dataDir } = tls.config
    const settings = { HOST: host, PORT: new URL(tls.url).port, DATA_DIR: dataDir }
    const env = { ...settings, TLS_CERT_FILE: certFile(), TLS_KEY_FILE: keyFile() }
    const { output } = await run(['server/cli/tracefold.mjs', 'login-link', '--org', tls.org], env)
    const [link = ''] = /^https:.*$/m.exec(output) ?? []
    expect(await get(link, made.cert, '')).toBe(303)
  })

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:4318'],
    ['::', 'http://[::1]:4318'],
    ['::1', 'http://[::1]:4318'],
    ['10.2.3.4', 'http://10.2.3.4:4318'],
  ])('that listens on %s has an address that a browser of its machine can open', (host, address) => {
    expect(ownAddress({ host, port: 4318 })).toBe(address)
  })

  it('is not trusted by clients that know another certificate', async () => {
    const { tls } = await startTls()
    const other = makeCertificate().cert
    await expect(get(`${tls.url}/healthz`, other, '')).rejects.toThrow()
    expect(await exportOver(tls.grpcUrl, other, '')).toBe(14)
  })

  it('logs clients without TLS, and HTTP/2 at the port of HTTP', async () => {
    const { tls } = await startTls()
    for (const url of [tls.url, tls.grpcUrl]) await expect(fetch(url.replace('https:', 'http:'))).rejects.toThrow()
    const session = connectHttp2(tls.url, { rejectUnauthorized: false })
    await new Promise((resolve) => session.once('error', resolve))
    const warnings = tls.logLines().filter(({ level }) => level === 'warn')
    expect(warnings.map(({ msg }) => msg)).toEqual([
      expect.stringContaining('unencrypted request on a port with TLS'),
      expect.stringContaining(`OTLP/gRPC is served on port ${new URL(tls.grpcUrl).port}`),
    ])
  })

  it('closes a connection that never begins the handshake', async () => {
    const { tls } = await startTls({ HEADERS_SECONDS_MAX: '1' })
    const closed = [tls.url, tls.grpcUrl].map(async (url) => {
      const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
      await new Promise((resolve) => socket.once('close', resolve).resume())
    })
    await Promise.all(closed)
  })

  it.each([
    ['a missing file', () => rmSync(certFile()), 'ENOENT'],
    ['no PEM', () => writeFileSync(certFile(), 'x'), 'PEM'],
    ['the key of another certificate', () => writeFileSync(keyFile(), makeCertificate().key), 'mismatch'],
  ])('does not start with %s', async (_, damage, reason) => {
    write(makeCertificate())
    damage()
    const started = startApp({ env: { TLS_CERT_FILE: certFile(), TLS_KEY_FILE: keyFile() } })
    await expect(started).rejects.toThrow(/^TLS_CERT_FILE and TLS_KEY_FILE cannot be used: /)
    await expect(started).rejects.toThrow(reason)
  })
})

describe('a certificate that is replaced', () => {
  const logged: string[] = []
  const note = (_details: object, message: string) => void logged.push(message)
  const logger = { info: note, warn: note } as never

  async function open() {
    logged.length = 0
    files = await openTlsFiles({ certFile: certFile(), keyFile: keyFile() }, logger, 5)
    const used: unknown[] = []
    files.follow({ setSecureContext: (pair: unknown) => void used.push(pair), on() {} } as never, {} as never)
    return used
  }

  const until = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(5)
  }

  it('file by file is used once both are there', async () => {
    write(makeCertificate('one'))
    const used = await open()
    const next = makeCertificate('two')
    for (const [path, content] of [
      [certFile(), next.cert],
      [keyFile(), next.key],
    ] as const) {
      writeFileSync(`${path}.new`, content)
      renameSync(`${path}.new`, path)
    }
    await until(() => used.length > 0)
    expect(used).toEqual([next])
    expect(files?.pair()).toEqual(next)
    expect(logged.filter((line) => line.startsWith('Replaced'))).toHaveLength(1)
  })

  it('by another target of a link, as Kubernetes does it, is used', async () => {
    const versions = [makeCertificate('one'), makeCertificate('two')]
    for (const [index, { cert, key }] of versions.entries()) {
      mkdirSync(join(directory, `v${index}`))
      writeFileSync(join(directory, `v${index}/tls.crt`), cert)
      writeFileSync(join(directory, `v${index}/tls.key`), key)
    }
    symlinkSync('v0', join(directory, '..data'))
    symlinkSync('..data/tls.crt', certFile())
    symlinkSync('..data/tls.key', keyFile())
    const used = await open()
    symlinkSync('v1', join(directory, '..data_tmp'))
    renameSync(join(directory, '..data_tmp'), join(directory, '..data'))
    await until(() => used.length > 0)
    expect(used).toEqual([versions[1]])
  })

  it('by one that cannot be used is logged once, and the previous one stays until a good one comes', async () => {
    const first = makeCertificate('one')
    write(first)
    const used = await open()
    writeFileSync(keyFile(), 'broken')
    await until(() => logged.length > 0)
    await sleep(100)
    expect(logged).toEqual(['Could not use the new TLS certificate; the previous one remains in use'])
    expect(files?.pair()).toEqual(first)
    const next = makeCertificate('two')
    write(next)
    await until(() => used.length > 0)
    expect(used).toEqual([next])
  })

  it('is presented by both ports of a running server', async () => {
    const { tls } = await startTls()
    expect(await presentedName(tls.grpcUrl)).toBe('CN=tracefold.test')
    write(makeCertificate('renewed'))
    for (const url of [tls.grpcUrl, tls.url])
      while ((await presentedName(url).catch(() => '')) !== 'CN=renewed') await sleep(50)
    expect(tls.logLines().map(({ msg }) => msg)).toContain('Replaced the TLS certificate')
  })
})

import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { exposureWarning, isPlainCredential } from '../../server/observability/plain-http.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

const warnings = () => app?.logLines().filter(({ level }) => level === 'warn') ?? []

/** An address of this machine other than the loopback one. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

describe('the warning at start', () => {
  it('says that a server on a network has no TLS', async () => {
    app = await startApp({ env: { HOST: '0.0.0.0' } })
    expect(warnings()).toMatchObject([{ msg: expect.stringContaining('The server listens on 0.0.0.0 without TLS') }])
  })

  it.each([
    ['127.0.0.1', undefined, false],
    ['127.1.2.3', undefined, false],
    ['::1', undefined, false],
    ['localhost', undefined, false],
    ['0.0.0.0', undefined, true],
    ['::', undefined, true],
    ['10.0.0.7', 'http://traces.example.com', true],
    ['0.0.0.0', 'https://traces.example.com', false],
  ])('for HOST=%s and PUBLIC_URL=%s: %s', (host, publicUrl, isWarned) => {
    const warning = exposureWarning({ host, ...(publicUrl === undefined ? {} : { publicUrl }) })
    expect(warning !== undefined).toBe(isWarned)
  })
})

describe('a credential over plain HTTP', () => {
  it('from another machine is reported once, without the credential', async ({ skip }) => {
    if (ownAddress === undefined) skip('This machine has no other address than the loopback one.')
    app = await startApp({ env: { HOST: '0.0.0.0', PUBLIC_URL: 'https://traces.example.com' } })
    const target = `http://${ownAddress}:${new URL(app.url).port}/api/v1/me`
    const authorization = `Bearer ${await app.token()}`
    for (let time = 0; time < 3; time++) expect((await fetch(target, { headers: { authorization } })).status).toBe(200)
    expect(warnings()).toMatchObject([
      { msg: expect.stringContaining('A credential arrived over plain HTTP'), remoteAddress: ownAddress },
    ])
    expect(JSON.stringify(app.logLines())).not.toContain(authorization)
  })

  it('from this machine is not reported', async () => {
    app = await startApp()
    expect((await app.send('/api/v1/me')).status).toBe(200)
    expect(warnings()).toEqual([])
  })

  it.each([
    ['192.0.2.7', {}, true],
    ['::ffff:192.0.2.7', {}, true],
    ['::ffff:127.0.0.1', {}, false],
    ['192.0.2.7', { 'x-forwarded-proto': 'https' }, false],
    ['192.0.2.7', { 'x-forwarded-proto': 'HTTPS, http' }, false],
    ['192.0.2.7', { 'x-forwarded-proto': 'http' }, true],
    ['192.0.2.7', { forwarded: 'for=192.0.2.1;proto=https' }, false],
    ['192.0.2.7', { forwarded: 'for=192.0.2.1;proto=http' }, true],
  ])('of %s with %j: %s', (remoteAddress, headers, isReported) => {
    const request = { headers: { authorization: 'Bearer x', ...headers }, socket: { remoteAddress } as never }
    expect(isPlainCredential(request)).toBe(isReported)
  })

  it('needs a credential to be reported', () => {
    expect(isPlainCredential({ headers: {}, socket: { remoteAddress: '192.0.2.7' } as never })).toBe(false)
  })
})

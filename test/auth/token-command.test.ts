import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTokenVerifier } from '../../server/auth/authenticate.ts'
import { makeToken } from '../../server/cli/token.ts'
import { ConfigError } from '../../server/config/read-config.ts'
import { silentLogger } from '../support/silent-logger.ts'

const root = join(import.meta.dirname, '..', '..')
let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tracefold-token-'))
})
afterAll(() => rmSync(dataDir, { recursive: true }))

/** Runs the command as a user does, without the settings of this process. */
function runToken(args: readonly string[], env: Record<string, string> = {}): SpawnSyncReturns<string> {
  const command = [join(root, 'server', 'cli', 'tracefold.mjs'), 'token', ...args]
  const path = { PATH: process.env.PATH ?? '' }
  return spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    env: { ...path, DATA_DIR: dataDir, ...env },
  })
}

const me = { org: 'acme', role: 'admin', sub: 'me', ttl: '1h' }

describe('the token command', () => {
  it('prints one JWT before the server has ever run, with a warning about DATA_DIR', async () => {
    const { stdout, stderr, status } = runToken(['--org', 'acme', '--role', 'admin', '--sub', 'me', '--ttl', '1h'])
    const warning = `No server is running on ${dataDir}. Only a server with this DATA_DIR accepts the token.\n`
    expect([status, stderr]).toEqual([0, warning])
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const { exp = 0, iat = 0 } = decodeJwt(stdout.trim())
    expect(exp - iat).toBe(3_600)
    const verify = await openTokenVerifier({ auth: {}, dataDir, logger: silentLogger })
    expect(await verify(stdout.trim())).toEqual({ org: 'acme', role: 'admin', subject: 'me' })
  })

  it('exits with 2, a reason and no output for a missing or invalid option, or an issuer', () => {
    const jwks = { AUTH_ISSUER: 'https://id', AUTH_AUDIENCE: 'a', AUTH_JWKS_URL: 'https://id/keys' }
    const wrong = [runToken([]), runToken(['--org', 'acme', '--role', 'root']), runToken(['--org', 'acme'], jwks)]
    expect(wrong.map(({ status, stdout }) => [status, stdout])).toEqual([
      [2, ''],
      [2, ''],
      [2, ''],
    ])
    const reasons = ['--org <name>', '--role must be one of restricted, viewer', 'AUTH_ISSUER is set']
    for (const [at, reason] of reasons.entries()) expect(wrong[at]?.stderr).toContain(reason)
  })

  it('exits with 7 for an unusable key', () => {
    const directory = join(dataDir, 'broken')
    mkdirSync(directory)
    writeFileSync(join(directory, 'signing-key.pem'), 'no key', { mode: 0o600 })
    const { status, stdout, stderr } = runToken(['--org', 'acme', '--data-dir', directory])
    expect([status, stdout]).toEqual([7, ''])
    expect(stderr).toMatch(/^.*signing-key.pem does not contain an Ed25519 private key.*\n$/)
  })
})

describe('a token is not created', () => {
  it.each([
    ['for an empty organization', { org: '' }, '--org must not be empty'],
    ['for an organization with a line break', { org: 'a\nb' }, '--org must not contain invisible characters'],
    ['for the subject of an API key', { sub: 'key:1' }, '--sub must not begin with "key:"'],
    ['for an unknown role', { role: 'owner' }, '--role must be one of'],
    ['for a zero lifetime', { ttl: '0s' }, '--ttl must be a number'],
    ['for a lifetime without a unit', { ttl: '3600' }, '--ttl must be a number'],
    ['for more than a year', { ttl: '366d' }, '--ttl must be a number'],
  ])('%s', async (_, options, fault) => {
    await expect(makeToken({ ...me, dataDir, ...options })).rejects.toMatchObject({
      exit: 'usage',
      message: expect.stringContaining(fault),
    })
  })

  it('with invalid settings', async () => {
    const config = join(dataDir, 'config.json')
    writeFileSync(config, '{"PORT": "x"}')
    await expect(makeToken({ ...me, dataDir, config })).rejects.toThrow(ConfigError)
  })
})

/** Settings at the ends of what is allowed, and just beyond; and texts as files of variables leave them. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, it } from 'vitest'
import { readConfig } from '../../server/config/read-config.ts'

const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const ed25519 = pemOf(generateKeyPairSync('ed25519').publicKey)
const issuer = { AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'tracefold' }

it('the ends of a range belong to it', () => {
  const least = readConfig({ PORT: '0', GRPC_PORT: '0', INGEST_BODY_MAX: '1', SPAN_AHEAD_MAX: '0s' })
  expect([least.port, least.limits.ingestBodyBytesMax, least.times.aheadSecondsMax]).toEqual([0, 1, 0])
  const most = readConfig({ PORT: '65535', INGEST_BODY_MAX: '1GiB', SPAN_AHEAD_MAX: '3650d' })
  expect([most.port, most.limits.ingestBodyBytesMax]).toEqual([65_535, 2 ** 30])
  expect(most.times.aheadSecondsMax).toBe(3_650 * 86_400)
})

it('a public key may be of RSA with 2,048 bits', () => {
  const pem = pemOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey)
  expect(readConfig({ ...issuer, AUTH_PUBLIC_KEY: pem }).auth.publicKey).toBe(pem)
})

it.each([
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535'],
  [{ INGEST_BODY_MAX: '1073741825' }, 'INGEST_BODY_MAX must be a size'],
  [{ SPAN_AHEAD_MAX: '3651d' }, 'SPAN_AHEAD_MAX must be a duration'],
  [{ DATA_DIR: '"/srv/data"' }, 'DATA_DIR must not be in quotes or begin or end with white space'],
  [{ DATA_DIR: '/srv/data\r' }, 'DATA_DIR must not be in quotes'],
  [{ HOST: "'0.0.0.0'" }, 'HOST must not be in quotes'],
  [{ ...issuer, AUTH_ISSUER: '"https://id.example"', AUTH_PUBLIC_KEY: ed25519 }, 'AUTH_ISSUER must not be in quotes'],
  [{ WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8/8' }, 'not valid: "10.0.0.0/8/8"'],
  [
    { ...issuer, AUTH_ISSUER: 'https://id.example:99999', AUTH_PUBLIC_KEY: ed25519, AUTH_CLIENT_ID: 'console' },
    'AUTH_ISSUER must be a URL',
  ],
  [{ ...issuer, AUTH_JWKS_URL: 'https://a@i/k' }, 'AUTH_JWKS_URL must not contain a user name'],
  [{ AUTH_PUBLIC_KEY: ed25519 }, 'AUTH_PUBLIC_KEY has no effect without AUTH_ISSUER'],
  [
    { ...issuer, AUTH_JWKS_URL: 'https://i/keys', AUTH_PUBLIC_KEY: ed25519 },
    'AUTH_ISSUER requires exactly one of AUTH_JWKS_URL and AUTH_PUBLIC_KEY',
  ],
])('%j is refused', (env, fault) => {
  expect(() => readConfig(env)).toThrow(fault)
})

import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../server/config/read-config.ts'
import { settingNames } from '../../server/config/settings.ts'
import type { Env } from '../../server/config/sources.ts'

const directory = mkdtempSync(join(tmpdir(), 'tracefold-config-'))
afterAll(() => rmSync(directory, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

function jsonFile(name: string, content: unknown): string {
  return file(name, JSON.stringify(content))
}

function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

function publicPem(type: 'rsa' | 'ed25519', bits = 2048): string {
  const { publicKey } = type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: bits }) : generateKeyPairSync(type)
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

const issuer = { AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'tracefold' }
const secretsKey = Buffer.alloc(32, 7).toString('base64')

describe('without settings', () => {
  it('every setting has its default, and the server listens on loopback', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4318,
      grpcPort: 4317,
      dataDir: join(process.cwd(), 'data'),
      clickhouse: { database: 'tracefold' },
      auth: {},
      webhookAllowedCidrs: [],
      corsOrigins: [],
      console: true,
      alertPeriodSeconds: 15,
      auditDays: 365,
      logLevel: 'info',
      valueIndex: 'auto',
      times: { ageDaysMax: 3_650, aheadSecondsMax: 86_400 },
      diskFreeBytesMin: 2 ** 30,
      limits: {
        querySecondsMax: 30,
        queryMemoryBytesMax: 2 ** 31,
        queryRowsMax: 2_000_000_000,
        queriesConcurrentMax: 16,
        ingestBodyBytesMax: 64 * 2 ** 20,
        ingestInFlightBytesMax: 256 * 2 ** 20,
        headersSecondsMax: 15,
        bodySecondsMax: 120,
        bodyStallSecondsMax: 10,
        responseBytesMax: 128 * 1024 ** 2,
        responseStallSecondsMax: 30,
        drainSecondsMax: 15,
      },
      quotas: {},
    })
  })

  it('OTLP/gRPC can be off', () => {
    expect(readConfig({ GRPC_PORT: 'off' })).not.toHaveProperty('grpcPort')
    expect(readConfig({ GRPC_PORT: 'off' }, { flags: { grpcPort: '0' } })).toMatchObject({ grpcPort: 0 })
  })

  it('an empty variable counts as unset', () => {
    const empty = Object.fromEntries(settingNames.map((name) => [name, '']))
    expect(readConfig({ ...empty, CONFIG_FILE: '' })).toEqual(readConfig({}))
  })

  it('the public address has no trailing slash, so that paths can be appended', () => {
    expect(readConfig({ PUBLIC_URL: 'https://example.org/tracefold/' }).publicUrl).toBe('https://example.org/tracefold')
    expect(() => readConfig({ PUBLIC_URL: 'https://example.org/?a=b' })).toThrow(
      'PUBLIC_URL must not have a query string or a fragment',
    )
  })

  it('the settings are frozen at every depth', () => {
    const config = readConfig({})
    expect(
      [config, config.auth, config.limits, config.clickhouse, config.webhookAllowedCidrs].every(Object.isFrozen),
    ).toBe(true)
  })
})

describe('sources', () => {
  it('flags take precedence over the environment, and the environment over the file', () => {
    const path = jsonFile('precedence.json', { PORT: 1000, HOST: '10.0.0.1', LOG_LEVEL: 'warn' })
    const config = readConfig({ PORT: '2000', HOST: '10.0.0.2' }, { file: path, flags: { port: '3000' } })
    expect([config.port, config.host, config.logLevel]).toEqual([3000, '10.0.0.2', 'warn'])
  })

  it('CONFIG_FILE names the file unless another one is given', () => {
    const path = jsonFile('named.json', { PORT: 1000 })
    expect(readConfig({ CONFIG_FILE: path }).port).toBe(1000)
  })

  it('the file contains lists as lists or as comma-separated text', () => {
    const list = jsonFile('list.json', { WEBHOOK_ALLOWED_CIDRS: ['10.0.0.0/8', 'fd00::/8'] })
    const expected = ['10.0.0.0/8', 'fd00::/8']
    expect(readConfig({}, { file: list }).webhookAllowedCidrs).toEqual(expected)
    expect(readConfig({ WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8, fd00::/8' }).webhookAllowedCidrs).toEqual(expected)
  })

  it('a secret can be read from a separate file, without the line break', () => {
    const path = file('secret', `${secretsKey}\n`)
    expect(readConfig({ SECRETS_KEY_FILE: path }).secretsKey).toBe(secretsKey)
    expect(readConfig({}, { file: jsonFile('secret.json', { SECRETS_KEY_FILE: path }) }).secretsKey).toBe(secretsKey)
  })

  it.each([
    ['a missing file', () => join(directory, 'none.json'), 'the settings file cannot be read: ENOENT'],
    ['no JSON', () => file('bad.json', '{"SECRETS_KEY": "hunter2'), 'it is not valid JSON'],
    ['a list', () => jsonFile('array.json', []), 'must contain one JSON object'],
    ['an unknown setting', () => jsonFile('unknown.json', { PROT: 1 }), 'unknown setting "PROT"; did you mean PORT?'],
    [
      'a setting that cannot be read from a file',
      () => jsonFile('port.json', { PORT_FILE: 'x' }),
      'unknown setting "PORT_FILE"',
    ],
    ['a nested value', () => jsonFile('nested.json', { PORT: { a: 1 } }), 'PORT must be a string, a number or a list'],
  ])('a settings file with %s is a fault', (_, path, fault) => {
    expect(faultsOf({ CONFIG_FILE: path() })).toEqual([expect.stringContaining(fault)])
  })

  it('a secret that is set twice, or in a missing or empty file, is a fault', () => {
    const path = file('twice', secretsKey)
    expect(faultsOf({ SECRETS_KEY: secretsKey, SECRETS_KEY_FILE: path })).toEqual([
      'SECRETS_KEY and SECRETS_KEY_FILE are both set; set only one',
    ])
    expect(faultsOf({ SECRETS_KEY_FILE: join(directory, 'missing') })).toEqual([
      expect.stringContaining('SECRETS_KEY_FILE cannot be read: ENOENT'),
    ])
    expect(faultsOf({ SECRETS_KEY_FILE: file('empty', '\n') })).toEqual([
      expect.stringContaining('SECRETS_KEY_FILE names an empty file'),
    ])
  })
})

describe('faults', () => {
  it('are all reported in one error', () => {
    const env = {
      PORT: '99999',
      LOG_LEVEL: 'loud',
      RETENTION_DAYS: '-1',
      AUTH_JWKS_URL: 'nowhere',
      INGEST_BODY_MAX: '1 cup',
    }
    const faults = faultsOf(env)
    expect(faults).toHaveLength(6)
    for (const name of Object.keys(env)) expect(faults).toContainEqual(expect.stringMatching(`^${name} must`))
    expect(faults).toContain('AUTH_JWKS_URL has no effect without AUTH_ISSUER')
    expect(() => readConfig(env)).toThrow(
      'The settings are not valid:\n  - PORT must be a whole number from 0 to 65535\n',
    )
  })

  it.each<[string, Env, string]>([
    ['a port with a fraction', { PORT: '80.5' }, 'PORT must be a whole number'],
    ['a gRPC port that is neither', { GRPC_PORT: 'none' }, 'GRPC_PORT must be a whole number from 0 to 65535, or off'],
    ['a certificate without a key', { TLS_CERT_FILE: 'c.pem' }, 'TLS_CERT_FILE has no effect without TLS_KEY_FILE'],
    ['a key without a certificate', { TLS_KEY_FILE: 'k.pem' }, 'TLS_KEY_FILE has no effect without TLS_CERT_FILE'],
    ['one port for both protocols', { PORT: '4317' }, 'PORT and GRPC_PORT are both 4317'],
    ['a port in hexadecimal', { PORT: '0x50' }, 'PORT must be a whole number'],
    ['a negative port', { PORT: '-1' }, 'PORT must be a whole number'],
    [
      'a ClickHouse of another scheme',
      { CLICKHOUSE_URL: 'tcp://db:9000' },
      'CLICKHOUSE_URL must be a URL that starts with',
    ],
    [
      'a ClickHouse with a path',
      { CLICKHOUSE_URL: 'http://db:8123/spans' },
      'CLICKHOUSE_URL must contain scheme, host and port',
    ],
    ['a database of ClickHouse', { CLICKHOUSE_DATABASE: 'system' }, 'CLICKHOUSE_DATABASE must not be one of'],
    ['a database with a quote', { CLICKHOUSE_DATABASE: 'a`b' }, 'CLICKHOUSE_DATABASE must be letters'],
    ['a cluster of nowhere', { CLICKHOUSE_CLUSTER: 'c' }, 'CLICKHOUSE_CLUSTER has no effect without CLICKHOUSE_URL'],
    [
      'several nodes of no cluster',
      { CLICKHOUSE_URL: 'http://a:8123,http://b:8123' },
      'CLICKHOUSE_URL names several nodes, which requires CLICKHOUSE_CLUSTER',
    ],
    [
      'a second node with a password of its own',
      { CLICKHOUSE_URL: 'http://a:8123,http://me:secret@b:8123', CLICKHOUSE_CLUSTER: 'c' },
      'CLICKHOUSE_URL may contain a user and a password in its first address only',
    ],
    [
      'a metadata store that is not Postgres',
      { METADATA_URL: 'mysql://db/x' },
      'METADATA_URL must be a URL that starts with',
    ],
    [
      'an issuer without audience',
      { AUTH_ISSUER: 'i', AUTH_JWKS_URL: 'https://i/keys' },
      'AUTH_ISSUER requires AUTH_AUDIENCE',
    ],
    ['an issuer without keys', issuer, 'AUTH_ISSUER requires exactly one of AUTH_JWKS_URL and AUTH_PUBLIC_KEY'],
    [
      'a key set with a password',
      { ...issuer, AUTH_JWKS_URL: 'https://a:b@i/k' },
      'AUTH_JWKS_URL must not contain a user name',
    ],
    [
      'a key set in a file',
      { ...issuer, AUTH_JWKS_URL: 'file:///etc/keys' },
      'AUTH_JWKS_URL must be a URL that starts with',
    ],
    [
      'a client of an issuer that is no address',
      { ...issuer, AUTH_ISSUER: 'i', AUTH_JWKS_URL: 'https://i/keys', AUTH_CLIENT_ID: 'console' },
      'AUTH_ISSUER must be a URL that starts with http:// or https:// with AUTH_CLIENT_ID',
    ],
    ['a client without issuer', { AUTH_CLIENT_ID: 'console' }, 'AUTH_CLIENT_ID has no effect without AUTH_ISSUER'],
    ['an audience without issuer', { AUTH_AUDIENCE: 'a' }, 'AUTH_AUDIENCE has no effect without AUTH_ISSUER'],
    [
      'a weak public key',
      { ...issuer, AUTH_PUBLIC_KEY: publicPem('rsa', 1024) },
      'AUTH_PUBLIC_KEY must be a public key in PEM',
    ],
    ['a short secrets key', { SECRETS_KEY: 'c2hvcnQ=' }, 'SECRETS_KEY must be 32 random bytes'],
    ['a network without a size', { WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8,10.0.0.1' }, 'not valid: "10.0.0.1"'],
    ['a network that is too narrow', { WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/33' }, 'not valid: "10.0.0.0/33"'],
    ['a size of nothing', { QUERY_MEMORY_MAX: '0MiB' }, 'QUERY_MEMORY_MAX must be a size'],
    ['no time for a query', { QUERY_SECONDS_MAX: '0' }, 'QUERY_SECONDS_MAX must be a whole number from 1'],
  ])('%s', (_, env, fault) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining(fault)])
  })

  it('never reveal a secret', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const env = { ...issuer, AUTH_PUBLIC_KEY: pem, SECRETS_KEY: 'hunter2', METADATA_URL: 'mysql://me:hunter2@db/x' }
    const reported = faultsOf({ ...env, CONFIG_FILE: file('leak.json', '{"SECRETS_KEY":"hunter2",}') }).join('\n')
    expect(reported).toContain('but is a private key')
    expect(reported).not.toContain('hunter2')
    expect(reported).not.toContain(pem.split('\n')[1])
  })
})

describe('values', () => {
  it.each([
    ['1048576', 2 ** 20],
    ['1024KiB', 2 ** 20],
    ['1 MiB', 2 ** 20],
    ['1gib', 2 ** 30],
  ])('the size %s is %d bytes', (text, bytes) => {
    expect(readConfig({ INGEST_BODY_MAX: text }).limits.ingestBodyBytesMax).toBe(bytes)
  })

  it('one setting names every node of a cluster; the credentials in the first address apply to all', () => {
    const nodes = 'https://me:p,ss@a.example:8443, https://b.example:8443'
    const { clickhouse } = readConfig({ CLICKHOUSE_URL: nodes, CLICKHOUSE_CLUSTER: 'main' })
    expect(clickhouse).toEqual({
      urls: ['https://a.example:8443', 'https://b.example:8443'],
      user: 'me',
      password: 'p,ss',

      database: 'tracefold',
      cluster: 'main',
    })
  })

  it('credentials are removed from the address of ClickHouse, and separate settings take precedence', () => {
    const url = 'https://me:p%40ss@db.example:8443'
    expect(readConfig({ CLICKHOUSE_URL: url }).clickhouse).toEqual({
      urls: ['https://db.example:8443'],
      user: 'me',
      password: 'p@ss',
      database: 'tracefold',
    })
    expect(readConfig({ CLICKHOUSE_URL: url, CLICKHOUSE_PASSWORD: 'own' }).clickhouse.password).toBe('own')
  })

  it('a public key may be written on one line with \\n', () => {
    const pem = publicPem('ed25519')
    expect(readConfig({ ...issuer, AUTH_PUBLIC_KEY: pem.replaceAll('\n', '\\n') }).auth.publicKey).toBe(pem)
  })

  it('a secrets key has 32 bytes in base64 or hexadecimal', () => {
    for (const text of [secretsKey, '07'.repeat(32)]) expect(readConfig({ SECRETS_KEY: text }).secretsKey).toBe(text)
  })
})

import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const secrets = {
  CLICKHOUSE_URL: 'https://reader:hunter2@clickhouse.example:8443',
  METADATA_URL: 'postgres://tracefold:hunter3@db.example/tracefold',
  SECRETS_KEY: Buffer.from('hunter4-hunter4-hunter4-hunter4!').toString('base64'),
}

it('`config print` shows the effective settings without secrets', async () => {
  const { code, stdout } = await runCommand(['config', 'print'], { ...secrets, RETENTION_DAYS: '30' })
  expect(code).toBe(0)
  const printed = JSON.parse(stdout)
  expect(printed).toMatchObject({ PORT: '4318', RETENTION_DAYS: '30', PUBLIC_URL: null })
  expect(printed.CLICKHOUSE_URL).toBe('https://[redacted]@clickhouse.example:8443')
  expect(stdout).not.toMatch(/hunter/)
  expect(stdout).not.toContain(secrets.SECRETS_KEY)
})

it('`config check` lists every fault at once and exits with 2', async () => {
  const { code, stderr } = await runCommand(['config', 'check'], {
    PORT: 'many',
    RETENTION_DAYS: '0',
    LOG_LEVEL: 'loud',
  })
  expect(code).toBe(2)
  for (const name of ['PORT', 'RETENTION_DAYS', 'LOG_LEVEL']) expect(stderr).toContain(name)
})

it('`config check` reports valid settings and exits with 0', async () => {
  expect(await runCommand(['config', 'check'])).toMatchObject({ code: 0, stdout: 'The settings are valid.\n' })
})

it('`config check` names variables that look like settings and have no effect', async () => {
  const { code, stdout } = await runCommand(['config', 'check'], {
    LOGLEVEL: 'debug',
    RETENTION_DAY: '30',
    data_dir: '/srv',
    TRACEFOLD_HOST: '0.0.0.0',
    // Set by Kubernetes, and not like any setting.
    TRACEFOLD_PORT: 'tcp://10.0.0.1:4318',
    HOSTNAME: 'a',
    DATABASE_URL: 'postgres://a',
    // Of OpenSSL, and near to TLS_CERT_FILE.
    SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt',
  })
  expect({ code, lines: stdout.split('\n').sort() }).toEqual({
    code: 0,
    lines: [
      '',
      'The settings are valid.',
      'The variable LOGLEVEL has no effect; did you mean LOG_LEVEL?',
      'The variable RETENTION_DAY has no effect; did you mean RETENTION_DAYS?',
      'The variable TRACEFOLD_HOST has no effect; did you mean HOST?',
      'The variable data_dir has no effect; did you mean DATA_DIR?',
    ],
  })
})

it('`backup` of a directory that no server has used exits with 2 and creates nothing', async () => {
  const folder = temporaryFolder()
  const { code, stderr } = await runCommand(['backup', join(folder, 'copy'), '--data-dir', join(folder, 'data')])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `${join(folder, 'data')} contains no data of a server. Set DATA_DIR to the directory of the server.\n`,
  })
  expect(readdirSync(folder)).toEqual([])
})

it('`backup` of a directory that cannot be looked into says so, not that it is empty', async () => {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  symlinkSync(dataDir, dataDir)
  const { code, stderr } = await runCommand(['backup', join(folder, 'copy'), '--data-dir', dataDir])
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^ELOOP: [^\n]*data[^\n]*\n$/) })
  expect(readdirSync(folder)).toEqual(['data'])
})

it('`serve` lists invalid settings and exits with 2', async () => {
  const { code, stderr } = await runCommand(['serve', '--port', '70000'], { METADATA_URL: 'mysql://db' })
  expect(code).toBe(2)
  expect(stderr).toMatch(/PORT/)
  expect(stderr).toMatch(/METADATA_URL/)
  expect(stderr).not.toMatch(/\bat .*\.ts/)
})

it.each([[['nonsense']], [['import']], [['import', 'x.jsonl']], [['import', '--concurrency', '0', 'x']]])(
  'wrong arguments (%j) exit with 2',
  async (args) => {
    const { code, stderr } = await runCommand(args)
    expect(code).toBe(2)
    expect(stderr).toContain('error:')
  },
)

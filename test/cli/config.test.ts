import { expect, it } from 'vitest'
import { runCommand } from '../operations/server-process.ts'

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

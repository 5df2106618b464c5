import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lockDirectory } from '../../server/clickhouse/engine/directory-lock.ts'
import { clientOf, column, createNumbers, insertNumbers, startEngine } from '../support/own-engine.ts'
import { runCommand, startServerProcess } from '../support/server-process.ts'
import { fillDisk, mountSmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs a command that opens the stores, and expects it to end with one sentence and the exit code of a store fault. */
async function faultOf(dataDir: string, command = 'migrate'): Promise<string> {
  const { code, stderr } = await runCommand([command, '--data-dir', dataDir], {
    LOG_LEVEL: 'silent',
    PORT: '0',
    GRPC_PORT: '0',
  })
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.not.stringMatching(/^ +at /m) })
  return stderr.trimEnd()
}

it.each(['serve', 'migrate'])(
  'a damaged metadata file ends `%s` with its name, the cause and the remedy',
  async (command) => {
    const dataDir = temporaryFolder()
    const path = join(dataDir, 'metadata.db')
    writeFileSync(path, 'not a database'.repeat(1_000))
    expect(await faultOf(dataDir, command)).toContain(
      `${path} is damaged: file is not a database. Restore it from a backup, or move it away to start without records.`,
    )
  },
)

it('a command on backups ends with the exit code of a store fault, too', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'metadata.db'), 'not a database'.repeat(1_000))
  const { code, stderr } = await runCommand(['backup', temporaryFolder(), '--data-dir', dataDir])
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('metadata.db is damaged: ') })
})

it('a damaged metadata file is the only fault that a server reports', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'metadata.db'), 'not a database'.repeat(1_000))
  const { stdout, stderr } = await runCommand(['serve', '--data-dir', dataDir], {
    LOG_LEVEL: 'warn',
    PORT: '0',
    GRPC_PORT: '0',
  })
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^The server cannot start: .* is damaged: .*\n$/)
})

it('a metadata file that cannot be opened is named', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'metadata.db'))
  expect(await faultOf(dataDir)).toContain(`${dataDir}/metadata.db cannot be opened: EISDIR`)
})

it.each(['clickhouse/engine.lock', 'clickhouse/version', 'signing-key.pem', 'secrets-key'])(
  'a directory in place of the file %s is named, with the remedy',
  async (name) => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, name), { recursive: true })
    expect(await faultOf(dataDir, 'serve')).toMatch(
      new RegExp(`${dataDir}/${name} cannot be opened: EISDIR.*\\. Move it away, or set another DATA_DIR\\.$`),
    )
  },
)

it.each(['clickhouse/data', 'clickhouse/data/metadata'])(
  'a file in place of the directory %s is named',
  async (name) => {
    const dataDir = temporaryFolder()
    mkdirSync(dirname(join(dataDir, name)), { recursive: true })
    writeFileSync(join(dataDir, name), '')
    expect(await faultOf(dataDir)).toMatch(
      new RegExp(`/clickhouse cannot be opened: (EEXIST|ENOTDIR).*'${dataDir}/clickhouse/data/metadata'\\. .*DATA_DIR`),
    )
  },
)

it('a directory in place of the control socket is logged, and the server runs without it', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'control.sock', 'kept'), { recursive: true })
  const server = await startServerProcess({ dataDir, env: { CONSOLE: 'off' } })
  const { code, output } = await server.end('SIGTERM')
  expect(code, output).toBe(0)
  expect(output).toContain('It is a directory. Move it away, and start the server again.')
  expect(existsSync(join(dataDir, 'control.sock', 'kept'))).toBe(true)
})

it.each([
  ['/proc/tracefold/data', '/proc/tracefold/data cannot be opened: ENOENT: no such file or directory, mkdir'],
  ['/dev/null/data', '/dev/null/data/signing-key.pem cannot be opened: ENOTDIR: not a directory'],
])('a data directory that cannot be created is named: %s', async (dataDir, cause) => {
  const fault = await faultOf(dataDir, 'serve')
  expect(fault).toContain(cause)
  expect(fault).toContain('Set DATA_DIR to a directory that the server may write.')
})

it('a damaged secrets key is named', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'secrets-key'), 'c2hvcnQ=\n', { mode: 0o600 })
  expect(await faultOf(dataDir, 'serve')).toBe(
    `${dataDir}/secrets-key does not contain 32 bytes in base64. Restore it from a backup, or delete it to create a ` +
      'new one; the credentials of webhook channels must then be set again.',
  )
})

it('a full disk is named with its remedy, and attempts to start on it leave no files', (test) => {
  const folder = temporaryFolder()
  const unmount = mountSmallDisk(folder, 1)
  if (unmount === undefined) return test.skip('Mounting a file system requires root.')
  onTestFinished(unmount)
  const free = fillDisk(folder)
  expect(() => lockDirectory(folder)).toThrow(
    /cannot be opened: ENOSPC.*\. Free space there, or enlarge the disk, and start again\.$/,
  )
  expect(readdirSync(folder)).toEqual(['fill'])
  free()
  lockDirectory(folder).release()
})

it('a directory that a newer ClickHouse has written is refused', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'clickhouse'))
  writeFileSync(join(dataDir, 'clickhouse', 'version'), '99.1.0\n')
  expect(await faultOf(dataDir)).toMatch(
    /^.*\/clickhouse was written by ClickHouse 99\.1\.0, and this version of Tracefold has ClickHouse \d+.*Use the/,
  )
})

it('damaged files of the embedded ClickHouse are named with its error and the remedy', async () => {
  const dataDir = temporaryFolder()
  const engine = await startEngine(dataDir)
  await createNumbers(clientOf(engine))
  await engine.stop()
  const metadata = join(dataDir, 'clickhouse/data/metadata')
  const [statement = ''] = readdirSync(metadata, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('numbers.sql'),
  )
  writeFileSync(join(metadata, statement), 'damaged')
  const fault = await faultOf(dataDir)
  expect(fault).toMatch(/^The embedded ClickHouse cannot open .*\/clickhouse: .*Syntax error.* Restore the directory/s)
})

it('a damaged part is named and never left out, until it is moved away', async () => {
  const dataDir = temporaryFolder()
  const engine = await startEngine(dataDir)
  const clickhouse = clientOf(engine)
  await createNumbers(clickhouse)
  await insertNumbers(clickhouse, 'whole', [[1, 1]])
  await insertNumbers(clickhouse, 'damaged', [[2, 2]])
  const [part] = await column(clickhouse, "SELECT path FROM system.parts WHERE table = 'numbers' AND partition = '2'")
  await engine.stop()
  truncateSync(`${part}data.bin`, 10)
  for (const command of ['migrate', 'serve']) {
    const fault = await faultOf(dataDir, command)
    expect(fault).toMatch(
      /^The .*embedded ClickHouse cannot open .*\/clickhouse: these parts of its tables are damaged/,
    )
    expect(fault).toContain(`${String(part).replace(/\/$/, '')} (`)
    expect(fault).toContain('data.bin has unexpected size: 10 instead of ')
    expect(fault).toContain('Restore a backup into an empty directory; docs/operating.md says how to go on without one')
  }
  rmSync(String(part), { recursive: true })
  expect(await column(clientOf(await startEngine(dataDir)), 'SELECT n FROM numbers')).toEqual(['1'])
})

it.each(['serve', 'migrate'])('`%s` on a directory in use changes none of its files', async (command) => {
  const dataDir = temporaryFolder()
  const lock = lockDirectory(join(dataDir, 'clickhouse'))
  onTestFinished(() => lock.release())
  expect(await faultOf(dataDir, command)).toContain(
    `${dataDir}/clickhouse is in use by the process ${process.pid}. Stop it`,
  )
  expect(existsSync(join(dataDir, 'metadata.db'))).toBe(false)
})

it('a metadata file in use is refused before it is migrated, also with another ClickHouse', async () => {
  const dataDir = temporaryFolder()
  const lock = lockDirectory(dataDir)
  onTestFinished(() => lock.release())
  const options = { LOG_LEVEL: 'silent', CLICKHOUSE_URL: 'http://127.0.0.1:1' }
  const { code, stderr } = await runCommand(['migrate', '--data-dir', dataDir], options)
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining(`${dataDir} is in use by the process`) })
  expect(existsSync(join(dataDir, 'metadata.db'))).toBe(false)
})

it.each(['', 'damaged', '{}'])('a lock file that says `%s` belongs to no running process', (content) => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'lock.json'), content)
  const lock = lockDirectory(dataDir)
  expect(JSON.parse(readFileSync(join(dataDir, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid })
  lock.release()
  rmSync(join(dataDir, 'lock.json'), { force: true })
  mkdirSync(join(dataDir, 'lock.json', 'folder'), { recursive: true })
  lockDirectory(dataDir).release()
})

it.each(['serve', 'migrate', 'token --org acme'])(
  'a directory of another product is refused before `%s` writes anything there',
  async (command) => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, 'PG_VERSION'), '18')
    const { code, stderr } = await runCommand([...command.split(' '), '--data-dir', dataDir], { PORT: '0' })
    const message = `${dataDir} belongs to Postgres: it contains PG_VERSION. Nothing was written there. `
    expect({ code, stderr }).toEqual({ code: 7, stderr: `${message}Set DATA_DIR to another directory.\n` })
    expect(readdirSync(dataDir)).toEqual(['PG_VERSION'])
  },
)

it('a used directory, and one with files of a volume or of its operator, is accepted', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'lost+found'))
  writeFileSync(join(dataDir, 'certificate.pem'), '')
  const makeToken = () => runCommand(['token', '--org', 'acme', '--data-dir', dataDir])
  expect(await makeToken()).toMatchObject({ code: 0 })
  writeFileSync(join(dataDir, 'dump.rdb'), '')
  expect(await makeToken()).toMatchObject({ code: 0 })
})

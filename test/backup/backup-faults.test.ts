import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDirectoryStorage } from '../../server/backup/directory-storage.ts'
import { verifyBackup } from '../../server/backup/verify-backup.ts'
import { traceHash } from '../../sql/index.ts'
import { exportRequest } from '../support/otlp-files.ts'
import { column } from '../support/own-engine.ts'
import {
  clientFor,
  runCommand,
  type ServerProcess,
  startCommand,
  startServerProcess,
  tokenFor,
} from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startEmbeddedApp } from './embedded-app.ts'

const org = 'acme'
const everything = { org, path: '/messages/count', body: { from: '2026-01-01T00:00:00Z', rows: [] } }

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort()
}

function bytesBelow(folder: string): number {
  return filesBelow(folder).reduce((total, file) => total + statSync(join(folder, file)).size, 0)
}

/** Starts a server with 20 spans and a backup of them. */
async function startBackedUp() {
  const target = temporaryFolder()
  const source = await startEmbeddedApp()
  await source.send(org, exportRequest([20]))
  expect(await runCommand(['backup', target, '--data-dir', source.dataDir])).toMatchObject({ code: 0 })
  return { source, target }
}

it('an incremental backup contains only new parts, and restores together with its full backup', async () => {
  const [target, moved] = [temporaryFolder(), join(temporaryFolder(), 'moved')]
  const source = await startEmbeddedApp()
  // A merge of both bodies would be a new part with the spans of both.
  await source.app.clickhouse.command('SYSTEM STOP MERGES')
  await source.send(org, exportRequest([4_000]))
  await runCommand(['backup', target, '--data-dir', source.dataDir])
  await source.send(org, exportRequest([10], 10_000))
  const second = await runCommand(['backup', target, '--data-dir', source.dataDir])
  const [full = '', incremental = ''] = readdirSync(target).sort()
  expect(second.stdout).toContain(`needs ${full}`)
  const parts = (id: string) => readdirSync(join(target, id, 'telemetry/data/tracefold/spans')).length
  expect([parts(full), parts(incremental)]).toEqual([1, 1])
  expect(bytesBelow(join(target, incremental))).toBeLessThan(bytesBelow(join(target, full)) / 2)

  const answer = await source.ask(everything)
  expect(answer).toMatchObject({ matched_step_count: 4_010 })
  await source.stop()
  const restored = await startEmbeddedApp()
  renameSync(target, moved)
  expect(await runCommand(['restore', moved, '--data-dir', restored.dataDir])).toMatchObject({ code: 0 })
  expect(await restored.ask(everything)).toMatchObject({ matched_step_count: 4_010 })
})

it('a flipped byte in any file is refused with the name of the file, and changes nothing', async () => {
  const target = temporaryFolder()
  const dataDir = temporaryFolder()
  const source = await startEmbeddedApp(dataDir)
  await source.send(org, exportRequest([20]))
  await source.stop()
  // Without a server, the command opens the stores itself.
  expect(await runCommand(['backup', target, '--data-dir', dataDir])).toMatchObject({ code: 0 })
  const files = filesBelow(target)
  const sampled = files.filter((file, index) => index % 20 === 0 || /manifest|SUMS|jsonl|\.backup/.test(file))
  const storage = openDirectoryStorage(target)
  const [id = ''] = readdirSync(target)
  const verify = () => verifyBackup(storage, id, { signal: new AbortController().signal })
  for (const file of sampled) {
    const content = readFileSync(join(target, file))
    if (content.length === 0) continue
    const flipped = Buffer.from(content)
    flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 1, flipped.length >> 1)
    writeFileSync(join(target, file), flipped)
    await expect(verify(), file).rejects.toThrow(file.endsWith('SHA256SUMS') ? 'SHA256SUMS' : file)
    writeFileSync(join(target, file), content)
  }
  expect(await verify()).toMatchObject({ files: files.length })

  const damaged = join(target, files.find((file) => /spans\/.*data\.bin$|spans\/.*\.bin$/.test(file)) ?? '')
  writeFileSync(damaged, Buffer.concat([readFileSync(damaged), Buffer.from('x')]))
  const empty = await startEmbeddedApp()
  const refused = await runCommand(['restore', target, '--data-dir', empty.dataDir])
  expect(refused).toMatchObject({ code: 8, stderr: expect.stringContaining(damaged.slice(target.length + 1)) })
  expect(await runCommand(['verify', target])).toMatchObject({ code: 8 })
  const manifest = `${id}/manifest.json`
  rmSync(join(target, manifest))
  expect(await runCommand(['verify', target])).toMatchObject({ code: 8, stderr: `There is no ${manifest}.\n` })
  expect(await empty.ask(everything)).toMatchObject({ matched_step_count: 0 })
})

it('a restore into stores with data is refused, and replaces the data with --force', async () => {
  const { source, target } = await startBackedUp()
  await source.send(org, exportRequest([7], 1_000))
  const refused = await runCommand(['restore', target, '--data-dir', source.dataDir])
  expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining('spans has 27 rows') })
  expect(await runCommand(['restore', target, '--force', '--data-dir', source.dataDir])).toMatchObject({ code: 0 })
  expect(await source.ask(everything)).toMatchObject({ matched_step_count: 20 })
})

it('a restore that is interrupted while a server replaces the data is not said to leave nothing', async () => {
  const { source, target } = await startBackedUp()
  await source.send(org, exportRequest([7], 1_000))
  const { clickhouse } = source.app
  const command = clickhouse.command.bind(clickhouse)
  clickhouse.command = async (statement, params) => {
    if (statement.startsWith('TRUNCATE')) {
      clickhouse.command = command
      restoring.kill('SIGINT')
      await restoring.ended
    }
    await command(statement, params)
  }
  const restoring = startCommand(['restore', target, '--force', '--data-dir', source.dataDir])
  expect(await restoring.ended).toMatchObject({
    code: 130,
    stderr: expect.stringMatching(/^Interrupted\. The log of the server says whether the restore is complete\.$/m),
  })
  await expect.poll(() => source.ask(everything)).toMatchObject({ matched_step_count: 20 })
})

it('a restore during which ClickHouse ends says whether telemetry is incomplete', async () => {
  const { source, target } = await startBackedUp()
  const { clickhouse } = source.app
  const command = clickhouse.command.bind(clickhouse)
  clickhouse.command = async (statement, params) => {
    if (statement.includes('ATTACH PARTITION')) process.kill(source.enginePid(), 'SIGKILL')
    await command(statement, params)
  }
  const restore = () => runCommand(['restore', target, '--force', '--data-dir', source.dataDir])
  expect(await restore()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/which is incomplete now: run it again with --force\. The telemetry store .*\n$/),
  })
  clickhouse.command = command
  await expect.poll(() => fetch(`${source.app.url}/readyz`).then(({ ok }) => ok), { timeout: 60_000 }).toBe(true)
  expect(await restore()).toMatchObject({ code: 0 })
  expect(await source.ask(everything)).toMatchObject({ matched_step_count: 20 })
})

it('a restore with --force keeps the entries of spans that are being stored', async () => {
  const { source, target } = await startBackedUp()
  const { clickhouse } = source.app
  const insert = clickhouse.insert.bind(clickhouse)
  const stored: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  clickhouse.insert = async (table, ...others) => {
    if (table === 'spans') await released
    await insert(table, ...others)
    stored.push(table)
  }
  const sent = source.send(org, exportRequest([7], 1_000))
  await expect.poll(() => stored).toContain('value_index')
  expect(await runCommand(['restore', target, '--force', '--data-dir', source.dataDir])).toMatchObject({ code: 0 })
  release()
  await sent
  expect(await source.ask(everything)).toMatchObject({ matched_step_count: 27 })
  const ids = await column(clickhouse, 'SELECT toString(trace_id) FROM spans WHERE is_indexed = 2')
  expect(ids).toHaveLength(7)
  const hashes = ids.map((id) => traceHash(String(id)) >>> 0)
  const entries = `SELECT uniqExact(hash) FROM value_index WHERE hash IN (${hashes.join()})`
  expect(await column(clickhouse, entries)).toEqual(['7'])
})

/**
 * Starts a server that kills itself with SIGKILL as soon as `entry` is in `folder`. It looks between any two steps of
 * its own work, so that it never completes the work that adds the entry, however slowly the test runs.
 * @param entry an expression of JavaScript about `names`, the entries of the folder
 */
function startMortalServer(dataDir: string, folder: string, entry: string): Promise<ServerProcess> {
  const look = `
    import { existsSync, readdirSync } from 'node:fs'
    const folder = ${JSON.stringify(folder)}
    const look = () => {
      const names = existsSync(folder) ? readdirSync(folder) : []
      if (${entry}) process.kill(process.pid, 'SIGKILL')
    }
    if (process.argv[2] === 'server/main.ts') setInterval(look, 1).unref()`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(look)}` }
  return startServerProcess({ dataDir, env })
}

it('kill -9 during a backup leaves nothing that is restored, and the next backup removes it', async () => {
  const [target, dataDir] = [temporaryFolder(), temporaryFolder()]
  const server = await startMortalServer(dataDir, target, 'names.length === 2')
  const send = async (first: number) =>
    fetch(`${server.url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenFor(dataDir)}`, 'content-type': 'application/json' },
      body: JSON.stringify(exportRequest([1_000], first)),
    })
  expect((await send(1)).status).toBe(200)
  expect(await runCommand(['backup', target, '--data-dir', dataDir])).toMatchObject({ code: 0 })
  const [complete = ''] = readdirSync(target)
  for (let body = 1; body < 20; body++) await send(1 + body * 1_000)
  const backup = startCommand(['backup', target, '--full', '--data-dir', dataDir])
  expect(await backup.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/server|socket|aborted/) })
  expect((await server.ended).code).toBeNull()
  expect(readdirSync(target)).toHaveLength(2)
  expect(await runCommand(['verify', target])).toMatchObject({ code: 0, stdout: expect.stringContaining(complete) })

  const restarted = await startServerProcess({ dataDir })
  expect(await runCommand(['backup', target, '--data-dir', dataDir])).toMatchObject({ code: 0 })
  const folders = readdirSync(target)
  expect(folders).toHaveLength(2)
  for (const id of folders) expect(readdirSync(join(target, id))).toContain('SHA256SUMS')
  const client = await clientFor(restarted, dataDir)
  const { data } = await client.POST('/api/v1/messages/count', { body: everything.body })
  expect(data?.matched_step_count).toBe(20_000)
})

it('kill -9 during a restore leaves nothing behind after the next start', async () => {
  const [target, dataDir] = [temporaryFolder(), temporaryFolder()]
  const source = await startEmbeddedApp()
  await source.send(org, exportRequest([20_000]))
  await runCommand(['backup', target, '--data-dir', source.dataDir])
  await source.stop()
  const databases = join(dataDir, 'clickhouse/data/metadata')
  const server = await startMortalServer(dataDir, databases, "names.includes('tracefold_restore')")
  const restore = startCommand(['restore', target, '--data-dir', dataDir])
  expect(await restore.ended).toMatchObject({ code: 1 })
  expect((await server.ended).code).toBeNull()
  const backups = join(dataDir, 'clickhouse/backups')
  expect(readdirSync(backups)).toEqual(['work'])

  const restarted = await startServerProcess({ dataDir })
  expect(existsSync(join(databases, 'tracefold_restore'))).toBe(false)
  expect(existsSync(join(backups, 'work'))).toBe(false)
  expect(restarted.output()).toContain('Deleted what an interrupted restore left behind')
  expect(await runCommand(['restore', target, '--force', '--data-dir', dataDir])).toMatchObject({ code: 0 })
  const client = await clientFor(restarted, dataDir)
  const { data } = await client.POST('/api/v1/messages/count', { body: everything.body })
  expect(data?.matched_step_count).toBe(20_000)
  await restarted.end('SIGTERM')
  expect((await startServerProcess({ dataDir })).output()).not.toContain('interrupted restore')
})

it('keys are not in a backup; without them credentials are counted, and saved keys bring them back', async () => {
  const [target, keys] = [temporaryFolder(), join(temporaryFolder(), 'keys.json')]
  const source = await startEmbeddedApp()
  const channel = { name: 'ops', config: { url: 'https://example.com/hook', auth_header: 'Bearer only-for-tests' } }
  await source.ask({ org, path: '/alerting/channels', body: { kind: 'webhook', ...channel } })
  await runCommand(['backup', target, '--data-dir', source.dataDir])
  expect(await runCommand(['keys', 'save', keys, '--data-dir', source.dataDir])).toMatchObject({ code: 0 })
  expect(statSync(keys).mode & 0o777).toBe(0o600)
  const secrets = ['secrets-key', 'signing-key.pem'].map((name) =>
    readFileSync(join(source.dataDir, name), 'utf8').trim(),
  )
  const stored = filesBelow(target).map((file) => readFileSync(join(target, file), 'latin1'))
  for (const secret of [...secrets, 'only-for-tests'])
    expect(stored.filter((text) => text.includes(secret))).toEqual([])
  await source.stop()

  const without = await runCommand(['restore', target, '--data-dir', temporaryFolder()])
  expect(without).toMatchObject({ code: 0, stderr: expect.stringContaining('cannot be decrypted: 2.') })
  const dataDir = temporaryFolder()
  expect(await runCommand(['keys', 'restore', keys, '--data-dir', dataDir])).toMatchObject({ code: 0 })
  const restored = await runCommand(['restore', target, '--data-dir', dataDir])
  expect(restored.stderr).not.toContain('credentials')
})

import { appendFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBackup } from '../../server/backup/create-backup.ts'
import { openDirectoryStorage } from '../../server/backup/directory-storage.ts'
import { listBackups, type Manifest, writeManifest } from '../../server/backup/manifest.ts'
import { verifyBackup } from '../../server/backup/verify-backup.ts'
import { exportRequest } from '../support/otlp-files.ts'
import { runCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startEmbeddedApp } from './embedded-app.ts'

/** Makes a backup of the metadata alone, as a server with a remote ClickHouse does, and returns its id. */
async function backUpMetadata(dataDir: string, target: string, now: Date): Promise<string> {
  const { manifest } = await createBackup({
    storage: openDirectoryStorage(target),
    serverTag: '0a1b2c',
    telemetry: undefined,
    metadata: { dataDir },
    workFolder: join(temporaryFolder(), 'work'),
    isFull: false,
    version: '0.0.0',
    now,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  return manifest.id
}

it('the newest backup is the one that was made last, within one second and after the clock was set back', async () => {
  const [target, { dataDir }] = [temporaryFolder(), await startEmbeddedApp()]
  const made: string[] = []
  for (const at of ['2026-03-01T12:00:00.900Z', '2026-03-01T12:00:00.950Z', '2026-03-01T11:00:00Z'])
    made.push(await backUpMetadata(dataDir, target, new Date(at)))
  expect(await listBackups(openDirectoryStorage(target))).toEqual(made)
})

it('an incremental backup needs the newest full backup that contains telemetry', async () => {
  const target = temporaryFolder()
  const { dataDir, send } = await startEmbeddedApp()
  await send('acme', exportRequest([20]))
  await runCommand(['backup', target, '--data-dir', dataDir])
  const [full] = await listBackups(openDirectoryStorage(target))
  await backUpMetadata(dataDir, target, new Date())
  const { stdout } = await runCommand(['backup', target, '--data-dir', dataDir])
  expect(stdout).toContain(`needs ${full}`)
})

it('two servers in one directory neither delete nor build on the backups of each other', async () => {
  const target = temporaryFolder()
  const [one, two] = [await startEmbeddedApp(), await startEmbeddedApp()]
  const backUp = ({ dataDir }: { readonly dataDir: string }) => runCommand(['backup', target, '--data-dir', dataDir])
  const folders = () => readdirSync(target).sort()
  await backUp(one)
  const [first = ''] = folders()
  // What a server that makes a backup now has written so far.
  const unfinished = first.replace(/^\d{8}T\d{6}Z/, '20260101T000000Z')
  mkdirSync(join(target, unfinished))
  expect((await backUp(two)).stdout).not.toContain('needs')
  expect(folders()).toEqual([unfinished, first, expect.any(String)])
  expect((await backUp(one)).stdout).toContain(`needs ${first}`)
  expect(folders()).toEqual([first, expect.any(String), expect.any(String)])
})

it('a backup with --full needs no other, and an earlier one is verified and restored by its name', async () => {
  const target = temporaryFolder()
  const source = await startEmbeddedApp()
  const backUp = (...options: string[]) => runCommand(['backup', target, ...options, '--data-dir', source.dataDir])
  await source.send('acme', exportRequest([20]))
  await backUp()
  await source.send('acme', exportRequest([7], 1_000))
  await backUp()
  expect(await backUp('--full')).toMatchObject({ code: 0, stdout: expect.stringMatching(/, full\n$/) })
  const [first = '', second = '', third = ''] = await listBackups(openDirectoryStorage(target))
  const verify = async (id: string) => (await runCommand(['verify', target, '--backup', id])).stdout
  expect(await verify(first)).toMatch(`${first} is complete`)
  expect(await verify(second)).toContain(`with those of ${first}`)
  const everything = { org: 'acme', path: '/messages/count', body: { from: '2026-01-01T00:00:00Z', rows: [] } }
  const restored = await startEmbeddedApp()
  const named = ['restore', target, '--backup', first, '--data-dir', restored.dataDir]
  expect(await runCommand(named)).toMatchObject({ code: 0 })
  expect(await restored.ask(everything)).toMatchObject({ matched_step_count: 20 })
  appendFileSync(join(target, first, 'metadata/channels.jsonl'), '\n')
  const damaged = { code: 8, stderr: expect.stringContaining(`${first}/metadata/channels.jsonl`) }
  expect(await runCommand(['verify', target, '--backup', second])).toMatchObject(damaged)
  expect(await verify(third)).toContain(`${third} is complete`)
})

it('a restore without a backup opens no stores, and a mistyped path leaves nothing behind', async () => {
  const folder = temporaryFolder()
  const [target, dataDir] = [join(folder, 'mistyped'), join(folder, 'data')]
  const missing = { code: 8, stdout: '', stderr: `${target} contains no complete backup.\n` }
  expect(await runCommand(['restore', target, '--data-dir', dataDir])).toEqual(missing)
  expect(await runCommand(['verify', target])).toEqual(missing)
  expect(readdirSync(folder)).toEqual([])
})

it('a backup of the metadata alone is not restored into an embedded ClickHouse, which is not opened', async () => {
  const [target, { dataDir }, empty] = [temporaryFolder(), await startEmbeddedApp(), temporaryFolder()]
  const id = await backUpMetadata(dataDir, target, new Date())
  const { code, stderr } = await runCommand(['restore', target, '--data-dir', empty])
  const message = `${id} contains no telemetry: it was made by a server with a remote ClickHouse.\n`
  expect({ code, stderr }).toEqual({ code: 8, stderr: message })
  expect(readdirSync(empty)).toEqual([])
})

it.each(['../elsewhere', '20260302T000000Z-0a1b2c'])(
  'a manifest whose base is not an earlier backup in the storage is refused: %s',
  async (base) => {
    const [directory, id] = [temporaryFolder(), '20260301T000000Z-0a1b2c']
    const storage = openDirectoryStorage(join(directory, 'target'))
    const manifest: Manifest = {
      format: 1,
      id,
      created_at: '2026-03-01T00:00:00Z',
      version: '0.0.0',
      base: null,
      telemetry: null,
      metadata: { migrations: [], rows: {} },
    }
    await writeManifest(storage, { ...manifest, id: base }, new Map())
    await writeManifest(storage, { ...manifest, base }, new Map())
    const verified = verifyBackup(storage, id, { signal: new AbortController().signal })
    await expect(verified).rejects.toThrow(`names the base ${JSON.stringify(base)}`)
  },
)

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBackup } from '../../server/backup/create-backup.ts'
import { openDirectoryStorage } from '../../server/backup/directory-storage.ts'
import { listBackups } from '../../server/backup/manifest.ts'
import { exportRequest } from '../support/otlp-files.ts'
import { runCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startEmbeddedApp } from './embedded-app.ts'

/** Makes a backup of the metadata alone, as a server with a remote ClickHouse does, and returns its id. */
async function backUpMetadata(dataDir: string, target: string, now: Date): Promise<string> {
  const { manifest } = await createBackup({
    storage: openDirectoryStorage(target),
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

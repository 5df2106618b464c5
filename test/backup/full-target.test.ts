import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { exportRequest } from '../support/otlp-files.ts'
import { runCommand } from '../support/server-process.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startEmbeddedApp } from './embedded-app.ts'

it('a backup that fills its disk fails and leaves nothing there, and succeeds when there is space', async (test) => {
  const target = temporaryFolder()
  const unmount = mountSmallDisk(target, 1)
  if (unmount === undefined) return test.skip('Mounting a file system requires root.')
  try {
    const source = await startEmbeddedApp()
    // A backup of several times the size of the disk.
    for (const firstId of [1, 80_001, 160_001]) await source.send('acme', exportRequest([80_000], firstId))
    const backUp = () => runCommand(['backup', target, '--data-dir', source.dataDir])
    const failed = await backUp()
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(`There is no space left in ${target}`) })
    expect(readdirSync(target)).toEqual([])

    execFileSync('mount', ['-o', 'remount,size=64m', target])
    expect(await backUp()).toMatchObject({ code: 0 })
    expect(await runCommand(['verify', target])).toMatchObject({ code: 0 })
    const everything = { org: 'acme', path: '/messages/count', body: { from: '2026-01-01T00:00:00Z', rows: [] } }
    expect(await source.ask(everything)).toMatchObject({ matched_step_count: 240_000 })
  } finally {
    unmount()
  }
})

it('a backup to a directory where the server may not write says who has to be able to', async (test) => {
  const target = temporaryFolder()
  const unmount = mountSmallDisk(target, 1)
  if (unmount === undefined) return test.skip('Mounting a file system requires root.')
  try {
    execFileSync('mount', ['-o', 'remount,ro', target])
    const { dataDir } = await startEmbeddedApp()
    const { code, stderr } = await runCommand(['backup', target, '--data-dir', dataDir])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Could not write to ${target}: EROFS`)])
    expect(stderr).toContain('If a server runs, it writes the backup')
  } finally {
    unmount()
  }
})

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { whileSpaceLasts } from '../../server/backup/target-space.ts'

it('a backup goes on although the file that probes for space cannot be deleted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'target-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, '.space'))
  const { signal } = new AbortController()
  const work = whileSpaceLasts(folder, signal, async (lasting) => {
    await sleep(50)
    return lasting.aborted
  })
  expect(await work).toBe(false)
})

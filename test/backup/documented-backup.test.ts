import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { exportRequest } from '../support/otlp-files.ts'
import { runCommand, startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startEmbeddedApp } from './embedded-app.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const everything = { org: 'acme', path: '/messages/count', body: { from: '2026-01-01T00:00:00Z', rows: [] } }

it('the commands of docs/operating.md back up a server and restore it into an empty directory', async () => {
  const text = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith('Backup and restore\n')) ?? ''
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks).toHaveLength(2)
  const [backups, keys] = [temporaryFolder(), join(temporaryFolder(), 'keys.json')]
  const run = (block: string, dataDir: string) => {
    const commands = block
      .replaceAll('npx tracefold', `node ${join(root, 'server/cli/tracefold.mjs')}`)
      .replaceAll('/srv/backups', backups)
      .replaceAll('keys.json', keys)
      .replace('npm start', '')
    return promisify(execFile)('bash', ['-euc', commands], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } })
  }
  const source = await startEmbeddedApp()
  await source.send('acme', exportRequest([20]))
  const { stdout } = await run(blocks[0] ?? '', source.dataDir)
  expect(stdout).toMatch(/^Created .*\n.* is complete: .*\nSaved secrets-key and signing-key.pem/)
  await source.stop()

  const dataDir = temporaryFolder()
  await run(blocks[1] ?? '', dataDir)
  const restored = await startEmbeddedApp(dataDir)
  expect(await restored.ask(everything)).toMatchObject({ matched_step_count: 20 })
})

it('a backup of a stopped server leaves the retention as it is, although its settings lack that', async () => {
  const env = { RETENTION_DAYS: '30' }
  const source = await startEmbeddedApp(temporaryFolder(), env)
  await source.stop()
  const { dataDir } = source
  expect(await runCommand(['backup', temporaryFolder(), '--data-dir', dataDir])).toMatchObject({ code: 0 })
  const restarted = await startServerProcess({ dataDir, env })
  expect(restarted.output()).not.toContain('the retention of telemetry')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { plainEnv, untilReady } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { unusedPort } from '../support/unused-port.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('npm start passes SIGTERM on to the server, and ends with it', async () => {
  const port = await unusedPort()
  const env = { ...plainEnv, DATA_DIR: temporaryFolder(), PORT: String(port), GRPC_PORT: 'off', CONSOLE: 'off' }
  const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => {
    // All processes of the group, should the server have survived npm.
    if (npm.pid !== undefined && !hasEnded(npm.pid)) process.kill(-npm.pid, 'SIGKILL')
  })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  npm.kill('SIGTERM')
  expect(await once(npm, 'exit')).toEqual([0, null])
  expect(output).toContain('"msg":"Stopped"')
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})

function hasEnded(group: number): boolean {
  try {
    process.kill(-group, 0)
    return false
  } catch {
    return true
  }
}

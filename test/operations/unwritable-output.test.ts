import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { describeUnless } from '../support/describe-unless.ts'
import { plainEnv, runCommand, untilReady } from '../support/server-process.ts'
import { fillDisk, mountSmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { unusedPort } from '../support/unused-port.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a server whose output goes to the file descriptors, and resolves to its address when it is ready. */
async function startWithOutput(stdout: number, stderr: number) {
  const port = await unusedPort()
  const env = { ...plainEnv, DATA_DIR: temporaryFolder(), PORT: String(port), GRPC_PORT: 'off', CONSOLE: 'off' }
  const program = [join(root, 'server/launch/run.mjs'), join(root, 'server/main.ts')]
  const child = spawn(process.execPath, program, { env, stdio: ['ignore', stdout, stderr] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return { url, child }
}

const folder = mkdtempSync(join(tmpdir(), 'tracefold-output-'))
const unmount = mountSmallDisk(folder, 1)
afterAll(() => {
  unmount?.()
  rmSync(folder, { recursive: true, force: true })
})

describeUnless(unmount ? undefined : 'mounting a small disk is not allowed', 'a log file on a full disk', () => {
  it('does not stop the server, and is continued when there is space', async () => {
    const path = join(folder, 'log')
    const file = openSync(path, 'a')
    onTestFinished(() => closeSync(file))
    const { url, child } = await startWithOutput(file, file)
    const free = fillDisk(folder)
    // Each is logged with the id that it sends.
    const ask = async (id: string) =>
      (await fetch(`${url}/api/v1/services`, { headers: { 'x-request-id': id } })).status
    for (let request = 0; request < 100; request += 1) expect(await ask(`full-${request}`)).toBe(401)
    free()
    expect(await ask('after')).toBe(401)
    const loggedIds = () => [...new Set(readFileSync(path, 'utf8').match(/(?<="req":\{"id":")[^"]*/g))]
    await expect.poll(() => loggedIds().slice(-2)).toEqual(['full-99', 'after'])
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
  })
})

it('a server starts, answers and stops although its output cannot be written', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const { url, child } = await startWithOutput(full, full)
  expect((await fetch(`${url}/api/v1/services`)).status).toBe(401)
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
})

it('a command whose result cannot be written fails with one line', () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'server/cli/tracefold.mjs'), 'config', 'print'], {
    env: plainEnv,
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, 'Could not write the output: ENOSPC: no space left on device, write\n'])
})

it('a backup is completed although nobody reads its progress', async () => {
  const dataDir = temporaryFolder()
  const target = temporaryFolder()
  expect(await runCommand(['migrate', '--data-dir', dataDir])).toMatchObject({ code: 0 })
  const args = [join(root, 'server/cli/tracefold.mjs'), 'backup', target, '--data-dir', dataDir]
  const child = spawn(process.execPath, args, { env: plainEnv, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.destroy()
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Created /)])
  expect(await runCommand(['verify', target])).toMatchObject({ code: 0 })
})

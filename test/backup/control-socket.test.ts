import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { askServer } from '../../server/backup/control-socket.ts'

const body = { operation: 'backup', target: { address: '/backups' }, isFull: false } as const

/** Listens on the control socket of a new data directory. */
async function listen(respond: RequestListener): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'control-'))
  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(join(dataDir, 'control.sock'), resolve))
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(dataDir, { recursive: true, force: true })
  })
  return dataDir
}

it.each([
  ['before it responds', false],
  ['after it reported progress', true],
])('a server that is killed %s is named as the reason', async (_, isResponding) => {
  const dataDir = await listen((request, response) => {
    if (isResponding) response.write('{"progress":"Reading the metadata"}\n')
    setTimeout(() => request.socket.destroy(), 50)
  })
  const progress: string[] = []
  const answer = askServer(dataDir, body, {
    signal: new AbortController().signal,
    onProgress: (line) => progress.push(line),
  })
  await expect(answer).rejects.toThrow('The server ended before the operation was complete.')
  expect(progress).toHaveLength(isResponding ? 1 : 0)
})

it('reads an error whose message contains line separators of Unicode', async () => {
  const error = { name: 'BackupDamaged', message: 'No backup is named “a\u2028b\u2029c”.' }
  const dataDir = await listen((_, response) => response.end(`${JSON.stringify({ error })}\n`))
  const answer = askServer(dataDir, body, { signal: new AbortController().signal, onProgress() {} })
  await expect(answer).rejects.toMatchObject({ errorName: error.name, message: error.message })
})

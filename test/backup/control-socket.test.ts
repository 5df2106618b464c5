import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { askServer } from '../../server/backup/control-socket.ts'

it.each([
  ['before it responds', false],
  ['after it reported progress', true],
])('a server that is killed %s is named as the reason', async (_, isResponding) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'control-'))
  const server = createServer((request, response) => {
    if (isResponding) response.write('{"progress":"Reading the metadata"}\n')
    setTimeout(() => request.socket.destroy(), 50)
  })
  await new Promise<void>((resolve) => server.listen(join(dataDir, 'control.sock'), resolve))
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(dataDir, { recursive: true, force: true })
  })
  const body = { operation: 'backup', target: { address: '/backups' }, isFull: false } as const
  const progress: string[] = []
  const answer = askServer(dataDir, body, {
    signal: new AbortController().signal,
    onProgress: (line) => progress.push(line),
  })
  await expect(answer).rejects.toThrow('The server ended before the operation was complete.')
  expect(progress).toHaveLength(isResponding ? 1 : 0)
})

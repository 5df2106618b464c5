import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { exportRequest } from '../support/otlp-files.ts'
import {
  clientFor,
  type ServerProcess,
  startCommand,
  startServerProcess,
  tokenFor,
  untilReady,
} from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { unusedPort } from '../support/unused-port.ts'

const killCount = 10
const requestCount = 8_000
const spansEach = 10
const spanCount = requestCount * spansEach
const testMsMax = 600_000
const progressMsMax = 120_000

/** Writes one request per line. Each has spans of its own, so all spans of the file are distinct. */
function writeFileToImport(path: string): void {
  const lines = Array.from({ length: requestCount }, (_, index) =>
    JSON.stringify(exportRequest([spansEach], 1 + index * spansEach)),
  )
  writeFileSync(path, `${lines.join('\n')}\n`)
}

/** Returns what the server has acknowledged without gaps, according to the checkpoint. */
function acknowledged(checkpoint: string): number {
  return existsSync(checkpoint) ? JSON.parse(readFileSync(checkpoint, 'utf8')).accepted : 0
}

async function untilMoreIsAcknowledged(checkpoint: string, than: number): Promise<number> {
  const deadline = Date.now() + progressMsMax
  while (Date.now() < deadline) {
    const now = acknowledged(checkpoint)
    if (now > than) return now
    await sleep(50)
  }
  throw new Error(`nothing more was acknowledged within ${progressMsMax} ms`)
}

/** Returns every stored span, as the API counts them: a duplicate would count once, and a lost span not at all. */
async function countSpans(server: ServerProcess, dataDir: string): Promise<{ messages: number; steps: number }> {
  const client = await clientFor(server, dataDir)
  const window = {
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  }
  const { data, error } = await client.POST('/api/v1/messages/count', { body: { ...window, rows: [] } })
  if (data === undefined) throw new Error(`the spans cannot be counted: ${JSON.stringify(error)}`)
  return { messages: data.message_count, steps: data.matched_step_count }
}

it(
  'kill -9 of the server and of its engine, ten times during a running import: every acknowledged span is there once',
  async () => {
    const dataDir = temporaryFolder()
    const file = join(dataDir, 'to-import.jsonl')
    const checkpoint = `${file}.import-checkpoint`
    writeFileToImport(file)
    const port = await unusedPort()
    let server = await startServerProcess({ dataDir, port })
    const { url } = server
    const env = { TRACEFOLD_TOKEN: await tokenFor(dataDir, 'ingest') }
    // Many small requests, so that the import outlasts the kills even on a slow machine.
    const slowly = ['--batch-bytes', '8192', '--concurrency', '3']
    const importing = startCommand(['import', file, '--url', url, ...slowly], env)

    let seen = 0
    for (let kill = 0; kill < killCount; kill++) {
      seen = await untilMoreIsAcknowledged(checkpoint, seen)
      if (kill % 2 === 0) {
        await server.end('SIGKILL')
        server = await startServerProcess({ dataDir, port })
      } else {
        process.kill(server.enginePid(), 'SIGKILL')
        await untilReady(url)
      }
      expect((await countSpans(server, dataDir)).steps).toBeGreaterThanOrEqual(seen)
    }

    importing.kill('SIGINT')
    const { code, stderr } = await importing.ended
    expect(code, stderr).toBe(130)
    expect(acknowledged(checkpoint)).toBeLessThan(spanCount)
    const rest = await startCommand(['import', file, '--url', url, '--resume'], env).ended
    expect(rest.code, rest.stderr).toBe(0)
    expect(rest.stderr).toContain(`${spanCount.toLocaleString('en')} records accepted, 0 rejected`)
    expect(await countSpans(server, dataDir)).toEqual({ messages: spanCount, steps: spanCount })
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  testMsMax,
)

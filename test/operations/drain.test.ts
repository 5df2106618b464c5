import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { exportRequest } from '../support/otlp-files.ts'
import { clientFor, type ServerProcess, startServerProcess, tokenFor } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const senders = 8
const spansEach = 5

/** Sends requests until the server accepts no more, and returns the number that it acknowledged. */
async function sendUntilRefused(server: ServerProcess, token: string, firstId: number, onAcknowledged: () => void) {
  let acknowledged = 0
  for (;;) {
    const request = exportRequest([spansEach], firstId + acknowledged * spansEach)
    try {
      const response = await fetch(`${server.url}/v1/traces`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
      await response.text()
      if (!response.ok) return acknowledged
    } catch {
      return acknowledged
    }
    acknowledged++
    onAcknowledged()
  }
}

it('SIGTERM during concurrent ingest loses no acknowledged data and ends with exit code 0', async () => {
  const dataDir = temporaryFolder()
  const server = await startServerProcess({ dataDir })
  const token = await tokenFor(dataDir, 'ingest')
  let total = 0
  let enough = () => {}
  const underLoad = new Promise<void>((resolve) => {
    enough = resolve
  })
  const sending = Array.from({ length: senders }, (_, sender) =>
    sendUntilRefused(server, token, 1 + sender * 1_000_000, () => {
      if (++total === senders * 5) enough()
    }),
  )
  await underLoad
  const { code, output } = await server.end('SIGTERM')
  const acknowledged = (await Promise.all(sending)).reduce((sum, count) => sum + count, 0)
  expect(code, output).toBe(0)
  expect(output).toContain('"msg":"Stopped"')

  const again = await startServerProcess({ dataDir })
  const client = await clientFor(again, dataDir)
  const { data } = await client.POST('/api/v1/messages/count', { body: { rows: [] } })
  // A request that was cut before its response may also be stored: it was not acknowledged and would be sent again.
  expect(data?.matched_step_count).toBeGreaterThanOrEqual(acknowledged * spansEach)
  expect(data?.matched_step_count).toBeLessThanOrEqual((acknowledged + senders) * spansEach)
  expect((await again.end('SIGINT')).code).toBe(0)
})

it('SIGTERM while the stores are being prepared ends with exit code 0 and unlocks the directory', async () => {
  const dataDir = temporaryFolder()
  const early = await startServerProcess({ dataDir, beforeReady: true })
  const { code, output } = await early.end('SIGTERM')
  expect(code, output).toBe(0)
  const next = await startServerProcess({ dataDir })
  expect((await next.end('SIGTERM')).code).toBe(0)
})

/** Begins a request whose body is still to be written, and resolves when the server is processing it. */
async function beginRequest(server: ServerProcess, dataDir: string, bodyBytes: number) {
  const sender = connect(Number(new URL(server.url).port), '127.0.0.1')
  onTestFinished(() => void sender.destroy())
  const authorization = `Bearer ${await tokenFor(dataDir, 'ingest')}`
  const head = [
    'POST /v1/traces HTTP/1.1',
    'Host: x',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
  ]
  // The interim response shows that the server is processing the request.
  sender.write([...head, `Content-Length: ${bodyBytes}`, 'Expect: 100-continue', '', ''].join('\r\n'))
  await once(sender, 'data')
  return sender
}

it('a second signal ends a server immediately that is waiting for a request', async () => {
  const dataDir = temporaryFolder()
  const server = await startServerProcess({ dataDir })
  await beginRequest(server, dataDir, 100)
  const first = server.end('SIGTERM')
  while (!server.output().includes('Shutting down')) await sleep(20)
  const { code, output } = await server.end('SIGTERM')
  expect(code).toBe(1)
  expect(output).toContain('Received a second signal')
  await first
})

it('SIGTERM for every process, as a service manager sends it, lets a request in flight be stored', async () => {
  const dataDir = temporaryFolder()
  const server = await startServerProcess({ dataDir })
  const body = JSON.stringify(exportRequest([spansEach], 1))
  const sender = await beginRequest(server, dataDir, Buffer.byteLength(body))
  process.kill(server.enginePid(), 'SIGTERM')
  const ending = server.end('SIGTERM')
  while (!server.output().includes('Shutting down')) await sleep(20)
  const response = once(sender, 'data')
  sender.write(body)
  expect(String(await response)).toMatch(/^HTTP\/1\.1 200 /)
  const { code, output } = await ending
  expect(code, output).toBe(0)
  expect(output).not.toContain('ended unexpectedly')
})

it('a data directory in use by another server is refused in one line that names it', async () => {
  const dataDir = temporaryFolder()
  await startServerProcess({ dataDir })
  const { code, output } = await (await startServerProcess({ dataDir, beforeReady: true })).ended
  expect(code).toBe(7)
  expect(output).toContain(`The server cannot start: ${dataDir} is in use by`)
  expect(output).not.toMatch(/^ +at /m)
})

it('a port in use is reported without a stack trace, with exit code 2', async () => {
  const first = await startServerProcess({ dataDir: temporaryFolder() })
  const port = Number(new URL(first.url).port)
  const second = startServerProcess({ dataDir: temporaryFolder(), port })
  await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use by another program`)
})

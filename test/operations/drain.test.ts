import { expect, it } from 'vitest'
import { exportRequest } from '../cli/otlp-files.ts'
import { clientFor, type ServerProcess, startServerProcess, temporaryDataDir, tokenFor } from './server-process.ts'

const senders = 8
const spansEach = 5

/** Sends request after request until the server takes no more; resolves to the number that it acknowledged. */
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

it('SIGTERM during concurrent ingest loses nothing that was acknowledged, and ends with exit code 0', async () => {
  const dataDir = temporaryDataDir()
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
  // A request that was cut before its answer may be stored too: it was not acknowledged, and would be sent again.
  expect(data?.matched_step_count).toBeGreaterThanOrEqual(acknowledged * spansEach)
  expect(data?.matched_step_count).toBeLessThanOrEqual((acknowledged + senders) * spansEach)
  expect((await again.end('SIGINT')).code).toBe(0)
})

it('a port in use is told without a stack, with exit code 2', async () => {
  const first = await startServerProcess({ dataDir: temporaryDataDir() })
  const port = Number(new URL(first.url).port)
  const second = startServerProcess({ dataDir: temporaryDataDir(), port })
  await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use by another program`)
})

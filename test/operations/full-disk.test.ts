import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { startApp } from '../../server/app.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { readConfig } from '../../server/config/read-config.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { request, span } from '../support/otlp-json.ts'
import { fillDisk, mountSmallDisk } from '../support/small-disk.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Starts a server with an embedded engine whose data is in a folder. */
async function startServer(dataDir: string) {
  const config = readConfig({
    PORT: '0',
    GRPC_PORT: 'off',
    DATA_DIR: dataDir,
    DISK_FREE_MIN: '16MiB',
    LOG_LEVEL: 'silent',
  })
  const logger = createLogger({ level: config.logLevel })
  const app = await startApp(config, { logger, collectProcessMetrics: false })
  cleanups.push(() => app.stop())
  await app.ready
  const key = await openLocalKey(dataDir)
  const caller = { org: 'acme', role: 'admin', subject: 'ada' } as const
  const token = await signLocalToken({ key, caller, secondsToLive: 3_600, now: new Date() })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    get: (path: string) => fetch(app.url + path),
    post: (path: string, body: object) =>
      fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) }),
  }
}

type TestServer = Awaited<ReturnType<typeof startServer>>

async function storedSpans({ post }: TestServer): Promise<number> {
  const window = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
  const response = await post('/api/v1/messages/search', { ...window, limit: 200 })
  expect(response.status).toBe(200)
  const { messages } = (await response.json()) as { messages: { span_count: number }[] }
  return messages.reduce((sum, { span_count }) => sum + span_count, 0)
}

async function capacityOf({ get }: TestServer) {
  const response = await get('/readyz')
  const { checks } = (await response.json()) as { checks: { name: string; ready: boolean; detail?: string }[] }
  return { status: response.status, ...checks.find(({ name }) => name === 'capacity') }
}

it('on a full disk reads go on, ingest waits for space, and nothing acknowledged is lost', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'tracefold-disk-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const unmount = mountSmallDisk(folder, 256)
  if (unmount === undefined) return test.skip('Mounting a file system requires root.')
  cleanups.push(unmount)
  const server = await startServer(folder)
  const now = { startTimeUnixNano: `${Date.now()}000000`, endTimeUnixNano: `${Date.now()}000000` }
  expect((await server.post('/v1/traces', request(span(now), span(now)))).status).toBe(200)
  await expect.poll(() => capacityOf(server)).toMatchObject({ status: 200, ready: true })

  const free = fillDisk(folder)
  const body = request(span(now), span(now), span(now))
  const refused = await server.post('/v1/traces', body)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
  expect(await refused.text()).toContain('disk')
  expect(await storedSpans(server)).toBe(2)
  await expect
    .poll(() => capacityOf(server), { timeout: 60_000 })
    .toMatchObject({
      status: 503,
      ready: false,
      detail: expect.stringContaining('DISK_FREE_MIN'),
    })
  expect(await (await server.get('/metrics')).text()).toMatch(
    /tracefold_clickhouse_disk_free_bytes\{disk="default"\} \d/,
  )

  free()
  expect((await server.post('/v1/traces', body)).status).toBe(200)
  expect(await storedSpans(server)).toBe(5)
  await expect.poll(() => capacityOf(server), { timeout: 60_000 }).toMatchObject({ status: 200, ready: true })
})

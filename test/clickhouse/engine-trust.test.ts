import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEngineChild } from '../../server/clickhouse/engine/engine-child.ts'
import { startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { detectHang } from '../../server/clickhouse/engine/watchdog.ts'
import { clientOf, column, until } from '../support/own-engine.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Takes the port of the engine before it can listen, and answers every request with 200. */
async function startImpostor() {
  const received: { path: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer(({ url = '', headers }, response) => {
    received.push({ path: url, headers })
    response.end('1\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, received }
}

function secretsOf(directory: string): string[] {
  const config = readdirSync(join(directory, 'config')).map((name) =>
    readFileSync(join(directory, 'config', name), 'utf8'),
  )
  return config.flatMap((text) => [...text.matchAll(/[0-9a-f]{48,}/g)].map(([secret]) => secret))
}

describe('another process on the port of the engine', () => {
  it('is not taken for the engine and receives no credentials', async () => {
    const directory = temporaryFolder()
    const { port, received } = await startImpostor()
    const starting = startEngineChild({ directory, logger: silentLogger, extraConfig: { http_port: port } })
    await expect(starting).rejects.toThrow('Address already in use')
    const proofPaths = received.map(({ path }) => path.slice(1))
    expect(secretsOf(directory).length).toBeGreaterThanOrEqual(4)
    for (const { headers } of received) expect(Object.keys(headers).sort()).toEqual(['connection', 'host'])
    expect(proofPaths.every((path) => /^[0-9a-f]{48}$/.test(path))).toBe(true)
  })
})

describe('the watchdog', () => {
  const watchdog = { probeMsMax: 4_000, pauseMs: 50, failuresMax: 3 }

  it('kills and restarts an engine that hangs while its process lives, and reports it', async () => {
    const losses: string[] = []
    const engine = await startEmbeddedEngine({
      dataDir: temporaryFolder(),
      logger: silentLogger,
      watchdog,
      onLoss: (loss) => losses.push(loss),
    })
    onTestFinished(() => engine.stop())
    const stopped = engine.pid ?? 0
    process.kill(stopped, 'SIGSTOP')
    await until(() => losses.length > 0)
    expect(losses[0]).toBe('hung')
    const clickhouse = clientOf(engine, 'default')
    await until(() => engine.state === 'ready' && clickhouse.ping())
    expect(engine.pid).not.toBe(stopped)
    expect(await column(clickhouse, 'SELECT 1')).toEqual([1])
  })

  it('waits for the given number of consecutive failures', async () => {
    const answers = [false, false, true, false, false, false, true]
    const remaining = answers.values()
    const probe = async () => remaining.next().value ?? true
    expect(await detectHang(probe, { ...watchdog, pauseMs: 0 }, new AbortController().signal)).toBe(true)
    expect([...remaining]).toEqual([true])
  })

  it('is silent about an engine that is stopped', async () => {
    const stopping = new AbortController()
    const probe = async () => {
      stopping.abort()
      return false
    }
    expect(await detectHang(probe, { ...watchdog, failuresMax: 1 }, stopping.signal)).toBe(false)
  })

  it('lets a busy engine work', async () => {
    const losses: string[] = []
    const engine = await startEmbeddedEngine({
      dataDir: temporaryFolder(),
      logger: silentLogger,
      watchdog: { probeMsMax: 10_000, pauseMs: 20, failuresMax: 2 },
      onLoss: (loss) => losses.push(loss),
    })
    onTestFinished(() => engine.stop())
    const clickhouse = clientOf(engine, 'default')
    const heavy = 'SELECT max(sipHash64(number)) > 0 FROM numbers_mt(30000000)'
    await Promise.allSettled(Array.from({ length: 8 }, () => column(clickhouse, heavy)))
    expect(losses).toEqual([])
  })
})

/**
 *   npm run bench:ingest -- [--seconds 120] [--seed 1] [--at-once 4] [--request-spans 1000] [--attributes 20]
 *
 * Runs sender, server and embedded ClickHouse on one machine. It measures how many spans a second become queryable, the
 * CPU time of each process, memory and parts over time, and the time of a search during ingest.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { startApp } from '../../server/app.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { readConfig } from '../../server/config/read-config.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { silentLogger } from '../../test/support/silent-logger.ts'
import type { SenderOrder, SenderReport } from './sender.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '4' },
    'request-spans': { type: 'string', default: '1000' },
    attributes: { type: 'string', default: '20' },
  },
})
const seconds = Number(values.seconds)
const ticksPerSecond = 100
const partsText =
  "SELECT count() AS n FROM system.parts WHERE active AND table = 'spans' AND database = currentDatabase()"
const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-bench-'))
const engine = await startEmbeddedEngine({ dataDir, logger: silentLogger })
const app = await startApp(readConfig({ PORT: '0', GRPC_PORT: 'off', DATA_DIR: dataDir, LOG_LEVEL: 'error' }), {
  logger: createLogger({ level: 'error', destination: process.stderr }),
  sources: [{ isExclusive: true, state: 'ready', endpoint: () => engine.endpoint() }],
})
try {
  await app.ready
  await run()
} finally {
  await app.stop()
  await engine.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const key = await openLocalKey(dataDir)
  const caller = { org: 'bench', role: 'admin', subject: 'bench' } as const
  const token = await signLocalToken({ key, caller, secondsToLive: 86_400, now: new Date() })
  const order: SenderOrder = {
    url: app.url,
    token,
    seconds,
    seed: Number(values.seed),
    requestsAtOnce: Number(values['at-once']),
    spansPerRequest: Number(values['request-spans']),
    attributesPerSpan: Number(values.attributes),
  }
  const before = process.cpuUsage()
  const engineBefore = engineCpuSeconds()
  const sending = send(order)
  const samples = await watchUntil(sending, token)
  const report = await sending
  const { user, system } = process.cpuUsage(before)
  print(report, (user + system) / 1e6, engineCpuSeconds() - engineBefore, samples)
  const idle: number[] = []
  for (let i = 0; i < 10; i++) idle.push(await searchMs(token))
  console.log(`search when idle: ${idle.map((ms) => ms.toFixed(0)).join(' ')} ms`)
  console.log(`stored: ${await one('SELECT count() AS n FROM spans')} spans, ${await one(partsText)} parts`)
}

async function one(text: string): Promise<number> {
  const { rows } = await app.clickhouse.read<{ n: string }>({ text, params: {} }, { for: 'system', label: 'bench' })
  return Number(rows[0]?.n)
}

async function send(order: SenderOrder): Promise<SenderReport> {
  const runner = fileURLToPath(new URL('../../server/launch/run.mjs', import.meta.url))
  const sender = fileURLToPath(new URL('sender.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [runner, sender, JSON.stringify(order)], {
    maxBuffer: 64 * 1024 ** 2,
  })
  return JSON.parse(stdout)
}

interface Sample {
  readonly rssMb: number
  readonly engineMb: number
  readonly parts: number
  readonly searchMs: number
}

/** Takes a sample every few seconds while spans are being sent. */
async function watchUntil(sending: Promise<unknown>, token: string): Promise<Sample[]> {
  const samples: Sample[] = []
  let ended = false
  const end = () => {
    ended = true
  }
  sending.then(end, end)
  while (!ended) {
    await sleep(3_000)
    const rssMb = process.memoryUsage().rss / 1e6
    samples.push({ rssMb, engineMb: engineRssMb(), parts: await one(partsText), searchMs: await searchMs(token) })
  }
  return samples
}

async function searchMs(token: string): Promise<number> {
  const begin = performance.now()
  const answer = await fetch(`${app.url}/api/v1/messages/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ rows: [{ attribute_key: 'server.port', operator: 'exists' }], limit: 50 }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.arrayBuffer()
  return performance.now() - begin
}

/** Reads the CPU time of the engine from /proc; returns zero where there is no /proc. */
function engineCpuSeconds(): number {
  const fields = procText('stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond
}

function engineRssMb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(procText('status'))?.[1] ?? 0) / 1e3
}

function procText(name: string): string {
  try {
    return readFileSync(`/proc/${engine.pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function print(report: SenderReport, serverSeconds: number, engineSeconds: number, samples: readonly Sample[]): void {
  const perSpan = (cpuSeconds: number) => `${((cpuSeconds / report.spans) * 1e6).toFixed(1)} µs a span`
  const at = (share: number) => report.answerMs[Math.floor(report.answerMs.length * share)]?.toFixed(0)
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, seed ${values.seed}`)
  console.log(`${report.spans} spans of ${report.bytesPerSpan.toFixed(0)} bytes in ${report.seconds.toFixed(1)} s`)
  console.log(
    `${Math.round(report.spans / report.seconds)} spans/s, ${report.retries} retries,`,
    `responses in ${at(0.5)} / ${at(0.95)} ms (median / p95)`,
  )
  console.log(
    `CPU: sender ${perSpan(report.cpuSeconds)}, server ${perSpan(serverSeconds)}, engine ${perSpan(engineSeconds)}`,
  )
  for (const { rssMb, engineMb, parts, searchMs: ms } of samples) {
    console.log(
      `server ${rssMb.toFixed(0)} MB, engine ${engineMb.toFixed(0)} MB, ${parts} parts, search ${ms.toFixed(0)} ms`,
    )
  }
}

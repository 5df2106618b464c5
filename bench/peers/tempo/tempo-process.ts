import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../server/clickhouse/engine/engine-child.ts'

const configFile = fileURLToPath(new URL('tempo.yaml', import.meta.url))
const pollMs = 500
const readySecondsMax = 120

/** A Grafana Tempo in a process of its own, on loopback, with a temporary directory. */
export interface TempoProcess {
  /** The address of the HTTP API. */
  readonly url: string
  /** The address of the OTLP receiver, above `/v1/traces`. */
  readonly otlpUrl: string
  readonly version: string
  /** CPU time since the start. */
  cpuMs(): Promise<number>
  stop(): Promise<void>
}

/** @throws Error if the program ends or is not ready in time */
export async function startTempo(program: string): Promise<TempoProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-bench-tempo-'))
  const [http, grpc, otlp] = await Promise.all([freePort(), freePort(), freePort()])
  const child = spawn(program, [`-config.file=${configFile}`, '-config.expand-env=true'], {
    env: {
      PATH: process.env.PATH,
      TEMPO_HTTP_PORT: `${http}`,
      TEMPO_GRPC_PORT: `${grpc}`,
      TEMPO_OTLP_PORT: `${otlp}`,
      TEMPO_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${http}`
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await until('ready', readySecondsMax, child, async () => (await fetch(`${url}/ready`)).ok)
    const built = (await (await fetch(`${url}/api/status/buildinfo`)).json()) as { version: string; revision: string }
    return {
      url,
      otlpUrl: `http://127.0.0.1:${otlp}`,
      version: [built.version, built.revision].filter((text) => text !== '').join(' ') || 'of an unknown version',
      cpuMs: async () => (await metricOf(url, 'process_cpu_seconds_total')) * 1_000,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Returns the sum of a metric over its labels; 0 if it is absent. */
async function metricOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

async function until(
  state: string,
  secondsMax: number,
  child: ChildProcess,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000
  while (!(await isSo().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`Tempo ended with exit code ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error(`Tempo was not ${state} after ${secondsMax} seconds`)
    await sleep(pollMs)
  }
}

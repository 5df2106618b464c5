/**
 * The OTLP endpoint in a process of its own with a small heap, which reports the CPU time of the longest turn of its
 * event loop. CPU time does not depend on the load of the machine. Rows are acknowledged without being stored.
 */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { createIngest } from '../../server/ingest/endpoint/ingest.ts'
import { createOtlpRouter } from '../../server/ingest/otlp-router.ts'
import { AcceptedTimes } from '../../server/ingest/records/accepted-times.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { forkTypeScript } from '../support/fork-typescript.ts'

export interface Measurement {
  /** The CPU time of the longest turn of the event loop since the last measurement, in milliseconds. */
  readonly longestTurnMs: number
  /** The largest resident set since the start, in MiB. */
  readonly rssMiB: number
}

export interface MeasuredServer {
  readonly url: string
  measure(): Promise<Measurement>
  close(): void
}

export async function startMeasuredServer(heapMiB: number): Promise<MeasuredServer> {
  const child = forkTypeScript(fileURLToPath(import.meta.url), ['serve'], {
    execArgv: [`--max-old-space-size=${heapMiB}`],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    url: (await messageOf(child)) as string,
    measure: () => {
      child.send('measure')
      return messageOf(child) as Promise<Measurement>
    },
    close: () => void child.kill('SIGKILL'),
  }
}

function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) =>
      reject(new Error(`The server died: ${code ?? signal}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}

/** Returns the CPU time of the main thread, without those of garbage collection and compression, in milliseconds. */
function mainThreadCpuMs(): number {
  const [ns] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
  return Number(ns) / 1e6
}

function serve(): void {
  let longestTurnMs = 0
  let last = mainThreadCpuMs()
  const turn = () => {
    const now = mainThreadCpuMs()
    longestTurnMs = Math.max(longestTurnMs, now - last)
    last = now
    setImmediate(turn)
  }
  const app = express()
  app.use(
    createOtlpRouter(
      createIngest({
        clickhouse: {
          insert: async () => {},
          read: async () => ({ rows: [], rowsRead: 0, bytesRead: 0, elapsedMs: 0 }),
        },
        authenticate: async () => ({ org: 'acme', role: 'ingest', subject: 'test' }),
        limits: {
          ingestBodyBytesMax: 64 * 2 ** 20,
          ingestInFlightBytesMax: 256 * 2 ** 20,
          headersSecondsMax: 15,
          bodySecondsMax: 600,
          bodyStallSecondsMax: 600,
        },
        quotas: { admitTelemetry: async () => {}, acceptedSeries: async () => undefined, countItems() {} },
        acceptedTimes: () => new AcceptedTimes({ times: { ageDaysMax: 36_500, aheadSecondsMax: 86_400 } }, new Date()),
        logger: console,
        metrics: createPrometheus({ collectProcess: false }).ingest,
      }),
    ),
  )
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    turn()
  })
  process.on('message', () => {
    process.send?.({ longestTurnMs, rssMiB: process.resourceUsage().maxRSS / 1024 } satisfies Measurement)
    longestTurnMs = 0
  })
}

if (process.argv[2] === 'serve') serve()

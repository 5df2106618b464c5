import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { unusedPort } from '../../support/unused-port.ts'
import { goEnv } from '../commands.ts'
import { checkFound, sendByBoth } from '../senders.ts'
import type { Step, StepContext } from '../step.ts'
import { refuseWarnings } from '../warnings.ts'
import { pythonSender } from './senders-python.ts'

const version = 'v0.160.0'
const stableVersion = 'v1.66.0'
const modules = 'go.opentelemetry.io/collector'
const configuration = fileURLToPath(new URL('../../../examples/collector/collector.yaml', import.meta.url))
const startMsMax = 60_000

/** What the configuration in `examples/collector/` uses, and nothing else. */
const recipe = `dist:
  module: example.org/collector
  name: collector
  output_path: ./dist
telemetry:
  gomod: ${modules}/service ${version}
  import: ${modules}/service/telemetry/otelconftelemetry
receivers:
  - gomod: ${modules}/receiver/otlpreceiver ${version}
processors:
  - gomod: ${modules}/processor/batchprocessor ${version}
exporters:
  - gomod: ${modules}/exporter/otlpexporter ${version}
  - gomod: ${modules}/exporter/otlphttpexporter ${version}
providers:
  - gomod: ${modules}/confmap/provider/fileprovider ${stableVersion}
  - gomod: ${modules}/confmap/provider/envprovider ${stableVersion}
`

export const collector: Step = {
  name: 'collector',
  needs: ['go', 'python3'],
  async run(context) {
    const { cache, target } = context
    const binary = await build(context)
    const [grpc, http] = [`127.0.0.1:${await unusedPort()}`, `127.0.0.1:${await unusedPort()}`]
    const child = spawn(binary, ['--config', configuration], {
      env: {
        COLLECTOR_GRPC: grpc,
        COLLECTOR_HTTP: http,
        COLLECTOR_BATCH_TIMEOUT: '100ms',
        TRACEFOLD_GRPC: target.grpcUrl.replace('http://', ''),
        TRACEFOLD_URL: target.url,
        TRACEFOLD_TOKEN: target.token,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = outputOf(child)
    const ended = once(child, 'close')
    let services: readonly string[]
    try {
      await untilReady(output)
      const endpoints = { grpc: `http://${grpc}`, http: `http://${http}` }
      services = await sendByBoth(context, endpoints, 'collector', pythonSender(cache))
    } finally {
      // It sends what it holds before it ends.
      child.kill('SIGTERM')
      await ended
    }
    refuseWarnings(output(), [])
    for (const service of services) await checkFound(target, service)
  },
}

/** Returns the Collector of the cache, and builds it first if an earlier run has not. */
async function build({ cache, folder, run }: StepContext): Promise<string> {
  const kept = join(cache, `collector-${version}`)
  if (existsSync(kept)) return kept
  const env = goEnv(cache)
  await run('go', ['install', `${modules}/cmd/builder@${version}`], { env })
  writeFileSync(join(folder, 'builder.yaml'), recipe)
  await run(join(`${env.GOBIN}`, 'builder'), ['--config', 'builder.yaml'], { env })
  mkdirSync(cache, { recursive: true })
  cpSync(join(folder, 'dist', 'collector'), `${kept}.part`)
  renameSync(`${kept}.part`, kept)
  return kept
}

function outputOf(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  return () => output
}

async function untilReady(output: () => string): Promise<void> {
  const deadline = Date.now() + startMsMax
  while (!output().includes('Everything is ready')) {
    if (Date.now() > deadline) throw new Error(`The Collector does not start:\n${output()}`)
    await sleep(50)
  }
}

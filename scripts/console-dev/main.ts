/**
 * Serves the console from its sources in front of a running server, and reloads open pages when a source changes.
 */
import { parseArgs } from 'node:util'
import { startConsoleDev } from './console-dev.ts'

const usage = 'npm run console:dev -- [--url http://127.0.0.1:4318] [--port 4319]'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:4318' },
      port: { type: 'string', default: '4319' },
    },
  })
  const dev = await startConsoleDev({ server: new URL(values.url), port: Number(values.port), logLevel: 'info' })
  process.stdout.write(
    `The console of ${values.url} from its sources: ${dev.url}\n` +
      `Sign in with a link of that server, with ${new URL(dev.url).host} in place of its host.\n`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void dev.stop())
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`)
  process.exitCode = 1
})

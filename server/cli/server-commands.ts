/** The commands that open the stores: `serve` and `migrate`. */
import { type App, startApp } from '../app.ts'
import { openLocalKey } from '../auth/local-tokens.ts'
import type { Config } from '../config/config.ts'
import { journalStreamOfProcess, misspelledProcessSettings } from '../config/read-config.ts'
import { consoleBundle } from '../console/console-bundle.ts'
import { ExitError, exitCodes } from '../lifecycle/exit-codes.ts'
import { openStores, type Stores } from '../lifecycle/stores.ts'
import { leadsToJournal } from '../lifecycle/systemd-journal.ts'
import { createLogger, type Logger } from '../observability/logging.ts'
import { isLoopback } from '../observability/plain-http.ts'
import { progressBar } from '../observability/progress-bar.ts'
import { isTemporary, Problem } from '../problem/problem.ts'
import { StoreFault } from '../problem/store-fault.ts'
import { loginAddress, signLoginLink } from '../sessions/login-links.ts'
import { configOf, type ServerFlags } from './config-commands.ts'

/** Seconds allowed for closing the stores after the drain. An orchestrator kills a process that takes longer. */
const closeSecondsMax = 15

/** Runs the server until SIGTERM or SIGINT. @throws ExitError when it cannot start */
export async function serve(flags: ServerFlags): Promise<void> {
  const config = configOf(flags)
  const logger = createLogger({ level: config.logLevel })
  // This monitor only logs the error. Node then ends the process.
  process.on('uncaughtExceptionMonitor', (err) => logger.fatal({ err }, 'Uncaught exception'))
  for (const warning of misspelledProcessSettings()) logger.warn(warning)
  // Built while ClickHouse starts. A request for the console reports an error.
  if (config.console) consoleBundle().catch((err) => logger.error({ err }, 'Could not build the console'))
  const app = await startApp(config, { logger })
  const { stopped, isStopping } = stopOnSignal(app, config, logger)
  logger.info({ host: config.host, url: app.url, grpcUrl: app.grpcUrl }, 'Listening')
  try {
    await app.ready
    await announce(app, config)
  } catch (error) {
    if (!isStopping()) {
      await app.stop()
      const reason = error instanceof Error ? error.message : String(error)
      throw new ExitError(error instanceof StoreFault ? 'store' : 'failed', `The server cannot start: ${reason}`)
    }
  }
  await stopped
}

/**
 * Migrates both stores and exits, for deployments that migrate before they start servers. Waits until the stores
 * respond.
 */
export async function migrateStores({
  backfill = false,
  ...flags
}: ServerFlags & { readonly backfill?: boolean }): Promise<void> {
  const config = configOf(flags)
  const logger = createLogger({ level: config.logLevel })
  const stores = await openStores(config, logger)
  const stopping = new AbortController()
  process.once('SIGTERM', () => stopping.abort())
  process.once('SIGINT', () => stopping.abort())
  try {
    await stores.prepare(stopping.signal)
    logger.info('Both stores are migrated')
    if (backfill) await backfillWithBar(stores, stopping.signal, logger)
  } catch (error) {
    if (!stopping.signal.aborted || error instanceof ExitError) throw error
    throw new ExitError('interrupted', 'The migration was stopped. Run the command again to continue it.')
  } finally {
    stopping.abort()
    await stores.close()
  }
}

/** Shows the progress on standard error: a bar on a terminal, else a line every ten seconds. */
async function backfillWithBar(stores: Stores, signal: AbortSignal, logger: Logger): Promise<void> {
  const bar = progressBar('records indexed')
  try {
    const onProgress = (done: number, all: number) => {
      if (bar.isActive) bar.update(done)
      else if (all > 0) bar.start(all, done)
    }
    const records = await stores.backfill({ signal, onProgress })
    logger.info({ records }, 'All spans and log records are in the value index')
  } catch (error) {
    const again = 'Run the command again to continue it.'
    if (signal.aborted) throw new ExitError('interrupted', `The backfill was stopped. ${again}`)
    if (error instanceof Problem && isTemporary(error))
      throw new ExitError('unreachable', `The backfill could not reach ClickHouse, or was refused by it. ${again}`)
    throw error
  } finally {
    bar.stop()
  }
}

/**
 * Prints the addresses for a person at a terminal. Machines read the log and `/readyz`. On a network the output may be
 * collected where others read it, as the journal is, so a link is printed on a loopback address only, and not there.
 */
async function announce({ url, grpcUrl }: App, config: Config): Promise<void> {
  const grpc = grpcUrl === undefined ? '' : `   OTLP/gRPC: ${grpcUrl}`
  const lines = ['', `Tracefold is ready: ${url}${grpc}   API reference: ${url}/docs`]
  if (config.auth.issuer === undefined) lines.push(...(await signInLines(url, config)), '')
  print(lines)
}

async function signInLines(url: string, config: Config): Promise<string[]> {
  const lines: string[] = []
  if (config.console && isLoopback(config.host) && !leadsToJournal(process.stderr.fd, journalStreamOfProcess())) {
    const caller = { org: 'acme', role: 'admin', subject: 'me' } as const
    const token = await signLoginLink(await openLocalKey(config.dataDir), caller, new Date())
    const address = loginAddress(config.publicUrl ?? url, token)
    lines.push(`Open the console (organization acme; once, within ten minutes): ${address}`)
  }
  return [...lines, 'Get a token: npm run --silent token -- --org acme --role admin --sub me --ttl 1h']
}

/** Prints lines for a person. Whether anybody can read them makes no difference to the server. */
function print(lines: readonly string[]): void {
  try {
    process.stderr.write(`${lines.join('\n')}\n`)
  } catch {
    // Standard error is a file that cannot be written, as on a full disk.
  }
}

interface Stopping {
  /** Resolves when the server has stopped. */
  readonly stopped: Promise<void>
  isStopping(): boolean
}

/** Drains running requests on the first signal and ends the process immediately on the second. */
function stopOnSignal(app: App, { limits }: Config, logger: Logger): Stopping {
  let stopping = false
  const stopped = new Promise<void>((resolve, reject) => {
    const onSignal = (signal: NodeJS.Signals) => {
      if (stopping) {
        logger.warn({ signal }, 'Received a second signal; exiting without waiting for running requests')
        process.exit(exitCodes.failed.code)
      }
      stopping = true
      logger.info({ signal }, 'Shutting down; waiting for running requests')
      exitAfter(limits.drainSecondsMax + closeSecondsMax, logger)
      app.stop().then((cut) => {
        if (cut > 0) logger.warn({ connections: cut }, 'Closed connections that were still open at the drain deadline')
        logger.info('Stopped')
        resolve()
      }, reject)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
  return { stopped, isStopping: () => stopping }
}

function exitAfter(seconds: number, logger: Logger): void {
  setTimeout(() => {
    logger.error({ seconds }, 'Could not shut down in time; exiting')
    process.exit(exitCodes.failed.code)
  }, seconds * 1_000).unref()
}

import { type App, startApp } from '../app.ts'
import type { Config, Flags } from '../config/config.ts'
import { ExitError, exitCodes } from '../lifecycle/exit-codes.ts'
import { createLogger, type Logger } from '../observability/logging.ts'
import { configOf } from './config-commands.ts'

/** Flags of the command line that override settings. */
export interface ServeFlags extends Flags {
  /** Path of the configuration file. */
  readonly config?: string | undefined
}

/** Beyond the drain: closing the stores takes seconds, and an orchestrator kills what takes longer. */
const closeSecondsMax = 15

/** Runs the server until SIGTERM or SIGINT. Throws when it cannot start. */
export async function serve(flags: ServeFlags): Promise<void> {
  const config = configOf(flags)
  const logger = createLogger({ level: config.logLevel })
  // Such an error ends the process, as it must; this only puts it where operators look.
  process.on('uncaughtExceptionMonitor', (err) => logger.fatal({ err }, 'The server failed'))
  const app = await startApp(config, { logger })
  const { stopped, isStopping } = stopOnSignal(app, config, logger)
  logger.info({ url: app.url }, 'Listening')
  try {
    await app.ready
    announce(app, config)
  } catch (error) {
    if (!isStopping()) {
      await app.stop()
      throw new ExitError(
        'failed',
        `The server cannot start: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  await stopped
}

/** For the person at the terminal; machines read the log and `/readyz`. */
function announce({ url }: App, { auth }: Config): void {
  process.stderr.write(`\nTracefold is ready: ${url}   API reference: ${url}/docs\n`)
  if (auth.issuer === undefined) {
    process.stderr.write('Get a token: npm run --silent token -- --org acme --role admin --sub me --ttl 1h\n\n')
  }
}

interface Stopping {
  /** Resolves when the server has stopped. */
  readonly stopped: Promise<void>
  isStopping(): boolean
}

/** The first signal lets running requests end; the second one ends the process at once. */
function stopOnSignal(app: App, { limits }: Config, logger: Logger): Stopping {
  let stopping = false
  const stopped = new Promise<void>((resolve, reject) => {
    const onSignal = (signal: NodeJS.Signals) => {
      if (stopping) {
        logger.warn({ signal }, 'Told to stop again: ending at once')
        process.exit(exitCodes.failed.code)
      }
      stopping = true
      logger.info({ signal }, 'Stopping: running requests may end')
      endAtLatest(limits.drainSecondsMax + closeSecondsMax, logger)
      app.stop().then((cut) => {
        if (cut > 0) logger.warn({ connections: cut }, 'Connections were cut at the deadline')
        logger.info('Stopped')
        resolve()
      }, reject)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
  return { stopped, isStopping: () => stopping }
}

function endAtLatest(seconds: number, logger: Logger): void {
  setTimeout(() => {
    logger.error({ seconds }, 'Stopping took too long')
    process.exit(exitCodes.failed.code)
  }, seconds * 1_000).unref()
}

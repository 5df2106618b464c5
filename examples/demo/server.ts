import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, startApp } from '../../server/app.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { readConfig } from '../../server/config/read-config.ts'
import { consoleBundle } from '../../server/console/console-bundle.ts'
import { StartError } from '../../server/lifecycle/start-error.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { loginAddress, signLoginLink } from '../../server/sessions/login-links.ts'

export interface DemoServer {
  readonly url: string
  /** The standard port, if another server has it. */
  readonly portInUse: number | undefined
  /** The address of OTLP/gRPC. */
  readonly grpcUrl: string
  readonly token: string
  /** Signs a browser in to the console, once. */
  readonly loginUrl: string
  readonly dataDir: string
  /** Stops the server and deletes its data. */
  stop(): Promise<void>
}

const standardPort = 4318
const standardGrpcPort = 4317
const tokenSeconds = 12 * 3_600

/**
 * Starts the real server with embedded ClickHouse and its own data. If the port is the standard one of OTLP, and it is
 * in use, the server takes a free one.
 * @throws StartError if another port is in use
 */
export async function startDemoServer(port: number): Promise<DemoServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-demo-'))
  const removeData = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    // Built while ClickHouse starts. A request for the console reports an error.
    consoleBundle().catch(() => {})
    const app = await startOn(port, dataDir).catch((error: unknown) => {
      if (error instanceof StartError && port === standardPort) return startOn(0, dataDir)
      throw error
    })
    await app.ready
    const stop = async () => {
      await app.stop()
      removeData()
    }
    const portInUse = port === standardPort && Number(new URL(app.url).port) !== port ? port : undefined
    const credentials = await credentialsOf(app.url, dataDir)
    return { url: app.url, portInUse, grpcUrl: app.grpcUrl ?? '', ...credentials, dataDir, stop }
  } catch (error) {
    removeData()
    throw error
  }
}

/** Ignores all other settings of the environment, so that the demo never writes into a real store. */
function startOn(port: number, dataDir: string): Promise<App> {
  const grpcPort = port === standardPort ? standardGrpcPort : 0
  const config = readConfig({
    PORT: String(port),
    GRPC_PORT: String(grpcPort),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ALERT_PERIOD_SECONDS: '5',
    // The receiver of the demo is on the same machine, and so may others be.
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  })
  return startApp(config, { logger: createLogger({ level: config.logLevel, destination: process.stderr }) })
}

async function credentialsOf(url: string, dataDir: string): Promise<Pick<DemoServer, 'token' | 'loginUrl'>> {
  const caller = { org: 'demo', role: 'admin', subject: 'demo' } as const
  const key = await openLocalKey(dataDir)
  return {
    token: await signLocalToken({ key, caller, secondsToLive: tokenSeconds, now: new Date() }),
    loginUrl: loginAddress(url, await signLoginLink(key, caller, new Date())),
  }
}

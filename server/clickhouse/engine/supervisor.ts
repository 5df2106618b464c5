/**
 * Supervises the embedded ClickHouse: keeps one engine running on a data directory and restarts it when it ends
 * unexpectedly. Until the next engine is ready, `endpoint()` returns undefined and requests are answered with 503.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreLogger } from '../client.ts'
import type { Endpoint, EndpointSource, EngineState } from '../endpoint.ts'
import { lockDirectory } from './directory-lock.ts'
import { type EngineChild, startEngineChild } from './engine-child.ts'
import type { Xml } from './engine-config.ts'
import { detectHang, type WatchdogSettings, watchdogDefaults } from './watchdog.ts'

export interface EmbeddedOptions {
  /** The engine stores its data in `<dataDir>/clickhouse`. */
  readonly dataDir: string
  readonly logger: StoreLogger
  /** Memory that the engine may use; by default half of the machine's memory. */
  readonly memoryBytesMax?: number
  /** Elements to add to the engine's configuration, such as those for a shard of a cluster. */
  readonly extraConfig?: Xml
  /** When an engine counts as hung. */
  readonly watchdog?: WatchdogSettings
  /** Called when an engine ended by itself, or was killed because it hung. */
  readonly onLoss?: (loss: EngineLoss) => void
}

export type EngineLoss = 'ended' | 'hung'

export interface EmbeddedEngine extends EndpointSource {
  /** Process id of the engine; undefined while no engine runs. */
  readonly pid: number | undefined
  /** Ends the engine and unlocks the directory. */
  stop(): Promise<void>
}

const backoffMsMin = 200
/** Longest pause before the restart of an engine that crashed. */
const crashBackoffMsMax = 2_000
/** Longest pause after a failed start, which usually needs an administrator. */
const startBackoffMsMax = 30_000
/** An engine that ran at least this long was healthy; the backoff then starts from its minimum again. */
const healthyMsMin = 10_000

class Supervisor implements EmbeddedEngine {
  state: EngineState = 'starting'
  private child: EngineChild | undefined
  private readonly options: EmbeddedOptions
  private readonly directory: string
  private readonly release: () => void
  private readonly stopping = new AbortController()
  private supervising: Promise<void> = Promise.resolve()

  constructor(options: EmbeddedOptions, directory: string, release: () => void) {
    this.options = options
    this.directory = directory
    this.release = release
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  endpoint(): Endpoint | undefined {
    return this.child?.endpoint
  }

  async start(signal?: AbortSignal): Promise<void> {
    this.supervising = this.supervise(await this.startChild(signal))
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.child?.stop()
    await this.supervising
    this.child = undefined
    this.state = 'stopped'
    this.release()
  }

  private async startChild(signal?: AbortSignal): Promise<EngineChild> {
    const { logger } = this.options
    const child = await startEngineChild({ ...this.options, directory: this.directory, signal })
    this.child = child
    this.state = 'ready'
    logger.info({ component: 'clickhouse', pid: child.pid }, 'The embedded ClickHouse is ready')
    return child
  }

  /** Waits for each engine to end and starts the next one, until the supervisor is stopped. */
  private async supervise(first: EngineChild): Promise<void> {
    let child: EngineChild | undefined = first
    let backoffMs = backoffMsMin
    while (!this.stopping.signal.aborted) {
      const startedAt = performance.now()
      if (child !== undefined) await this.untilEnded(child)
      const ranMs = performance.now() - startedAt
      await sleep(backoffMs, undefined, { signal: this.stopping.signal }).catch(() => undefined)
      if (this.stopping.signal.aborted) return
      child = await this.restartChild()
      const backoffMsMax: number = child === undefined ? startBackoffMsMax : crashBackoffMsMax
      backoffMs = ranMs > healthyMsMin ? backoffMsMin : Math.min(backoffMsMax, backoffMs * 2)
    }
  }

  private async untilEnded(child: EngineChild): Promise<void> {
    const { logger, watchdog = watchdogDefaults, onLoss } = this.options
    const watching = new AbortController()
    let loss: EngineLoss = 'ended'
    void detectHang(child.responds, watchdog, watching.signal).then((isHung) => {
      if (!isHung) return
      loss = 'hung'
      logger.error({ component: 'clickhouse', pid: child.pid }, 'The embedded ClickHouse hangs; killing it')
      child.kill()
    })
    const { words: lastWords } = await child.ended
    watching.abort()
    this.child = undefined
    if (this.stopping.signal.aborted) return
    this.state = 'restarting'
    onLoss?.(loss)
    logger.error({ component: 'clickhouse', lastWords }, 'The embedded ClickHouse ended unexpectedly; restarting it')
  }

  private async restartChild(): Promise<EngineChild | undefined> {
    try {
      const child = await this.startChild(this.stopping.signal)
      if (this.stopping.signal.aborted) await child.stop()
      return child
    } catch (error) {
      if (this.stopping.signal.aborted) return undefined
      this.options.logger.error({ component: 'clickhouse', err: error }, 'Could not restart the embedded ClickHouse')
      return undefined
    }
  }
}

/** Returns the directory of all files of the engine. */
export function engineDirectory(dataDir: string): string {
  return path.resolve(dataDir, 'clickhouse')
}

/**
 * Starts the embedded ClickHouse and resolves when it responds. `signal` applies until then.
 * @throws StoreFault when another running process uses the directory, or when the engine cannot start; the reason of
 * `signal` when it aborts
 */
export async function startEmbeddedEngine(options: EmbeddedOptions, signal?: AbortSignal): Promise<EmbeddedEngine> {
  const directory = engineDirectory(options.dataDir)
  const lock = lockDirectory(directory)
  const supervisor = new Supervisor(options, directory, () => lock.release())
  try {
    await supervisor.start(signal)
    return supervisor
  } catch (error) {
    lock.release()
    throw error
  }
}

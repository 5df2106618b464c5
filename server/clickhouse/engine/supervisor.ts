/**
 * The supervisor of the embedded ClickHouse: keeps one engine running on a data directory of its own, and starts
 * another when it ends by itself. While there is none, `endpoint()` is undefined and callers answer 503.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreLogger } from '../client.ts'
import type { Endpoint, EndpointSource, EngineState } from '../endpoint.ts'
import { lockDirectory } from './directory-lock.ts'
import { type EngineChild, startEngineChild } from './engine-child.ts'
import type { Xml } from './engine-config.ts'

export interface EmbeddedOptions {
  /** The engine keeps everything below `<dataDir>/clickhouse`. */
  readonly dataDir: string
  readonly logger: StoreLogger
  /** Bytes the engine may use; by default half of the machine's memory. */
  readonly memoryBytesMax?: number
  /** Elements of the engine's configuration beside ours, as a shard of a cluster needs. */
  readonly further?: Xml
}

export interface EmbeddedEngine extends EndpointSource {
  /** Process id of the engine; undefined while there is none. */
  readonly pid: number | undefined
  /** Ends the engine and gives the directory free. */
  stop(): Promise<void>
}

const backoffMsMin = 200
/** For an engine that ran and then ended. */
const crashBackoffMsMax = 2_000
/** For one that could not even be started: somebody has to mend something. */
const startBackoffMsMax = 30_000
/** An engine that ran this long had started well: the next restart comes at once again. */
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

  async start(): Promise<void> {
    this.supervising = this.supervise(await this.startChild())
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.child?.stop()
    await this.supervising
    this.child = undefined
    this.state = 'stopped'
    this.release()
  }

  private async startChild(): Promise<EngineChild> {
    const { dataDir: _, logger, ...engine } = this.options
    const child = await startEngineChild({ directory: this.directory, logger, ...engine })
    this.child = child
    this.state = 'ready'
    logger.info({ component: 'clickhouse', pid: child.pid }, 'The embedded ClickHouse is ready')
    return child
  }

  /** Waits for each engine's end and starts the next, until stopped. */
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
    const lastWords = await child.ended
    this.child = undefined
    if (this.stopping.signal.aborted) return
    this.state = 'restarting'
    this.options.logger.error(
      { component: 'clickhouse', lastWords },
      'The embedded ClickHouse ended; it is started again',
    )
  }

  private async restartChild(): Promise<EngineChild | undefined> {
    try {
      const child = await this.startChild()
      if (this.stopping.signal.aborted) await child.stop()
      return child
    } catch (error) {
      this.options.logger.error(
        { component: 'clickhouse', err: error },
        'The embedded ClickHouse could not be started again',
      )
      return undefined
    }
  }
}

/**
 * Starts the embedded ClickHouse; resolves when it answers.
 * @throws DirectoryInUse when another live process uses the directory; Error with the reason when the engine cannot
 * start
 */
export async function startEmbeddedEngine(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const directory = path.resolve(options.dataDir, 'clickhouse')
  const lock = lockDirectory(directory)
  const supervisor = new Supervisor(options, directory, () => lock.release())
  try {
    await supervisor.start()
    return supervisor
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Starts or reaches the ClickHouse that the configuration names. */
import { type ClickHouse, openClickHouse } from './client.ts'
import { startEmbeddedEngine } from './embedded.ts'
import type { EndpointSource } from './endpoint.ts'
import type { Logger } from './engine-log.ts'
import type { QueryLimits } from './query-limits.ts'

export interface StartOptions {
  /** Without `url`: the embedded ClickHouse, under `dataDir`. */
  readonly config: {
    readonly url?: string
    readonly user?: string
    readonly password?: string
    readonly database: string
  }
  readonly dataDir: string
  readonly limits: QueryLimits
  readonly logger: Logger
}

export interface StartedClickHouse {
  readonly clickhouse: ClickHouse
  /** Nobody else can use this ClickHouse. */
  readonly exclusive: boolean
  /** Closes the client and ends an embedded engine. */
  close(): Promise<void>
}

/** Whether a remote ClickHouse answers is not asked here: it may come later than this server. */
export function remoteSource({
  url,
  user = 'default',
  password = '',
}: {
  url: string
  user?: string
  password?: string
}): EndpointSource {
  const endpoint = { url, username: user, password }
  return { state: 'ready', endpoint: () => endpoint }
}

/** @throws DirectoryInUse when another live process uses the directory; Error with the reason when the engine cannot start */
export async function startClickHouse({ config, dataDir, limits, logger }: StartOptions): Promise<StartedClickHouse> {
  const { url, database } = config
  if (url !== undefined) {
    const clickhouse = openClickHouse({ source: remoteSource({ ...config, url }), database, limits, logger })
    return { clickhouse, exclusive: false, close: () => clickhouse.close() }
  }
  const engine = await startEmbeddedEngine({ dataDir, logger })
  const clickhouse = openClickHouse({ source: engine, database, limits, logger })
  const close = async () => {
    await clickhouse.close()
    await engine.stop()
  }
  return { clickhouse, exclusive: true, close }
}

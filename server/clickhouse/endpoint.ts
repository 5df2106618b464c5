/** Address and credentials of a ClickHouse server. */
export interface Endpoint {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly headers?: Readonly<Record<string, string>>
  /** Total memory that ClickHouse may use, if known. One query gets at most a share of it. */
  readonly memoryBytesMax?: number
}

/** A remote ClickHouse is always `ready` here, because only its responses show whether it is available. */
export type EngineState = 'starting' | 'ready' | 'restarting' | 'stopped'

/** A ClickHouse whose endpoint may change: an embedded engine gets a new port and password at every start. */
export interface EndpointSource {
  readonly state: EngineState
  /** Whether only this process writes there: to the database of the client that uses the source. False if absent. */
  readonly isExclusive?: boolean
  /** Returns the same object as long as the engine runs, and undefined while it does not. */
  endpoint(): Endpoint | undefined
}

export interface RemoteAddress {
  /** The address without credentials. */
  readonly url: string
  readonly user?: string
  readonly password?: string
}

/** Returns the source of a ClickHouse that this server does not run. It is not contacted, so it may start later. */
export function remoteSource({ url, user = 'default', password = '' }: RemoteAddress): EndpointSource {
  const endpoint: Endpoint = { url, username: user, password }
  return { state: 'ready', endpoint: () => endpoint }
}

/** Returns the database with the local tables of a shard. */
export function shardDatabaseOf(database: string): string {
  return `${database}_shard`
}

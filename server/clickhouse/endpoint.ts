/** Where ClickHouse listens, and how to be let in. */
export interface Endpoint {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly headers?: Readonly<Record<string, string>>
  /** What the whole server may use, when that is known; one query then gets no more than a share of it. */
  readonly memoryBytesMax?: number
}

/** A remote ClickHouse is always `ready` here: whether it answers is told by its answers. */
export type EngineState = 'starting' | 'ready' | 'restarting' | 'stopped'

/** A place for ClickHouse that may move: an embedded engine gets a new port and password at every start. */
export interface EndpointSource {
  readonly state: EngineState
  /** The same object as long as it is the same engine; undefined while there is none. */
  endpoint(): Endpoint | undefined
}

/** A ClickHouse that somebody else runs. Whether it answers is not asked here: it may come later than this server. */
export function remoteSource({ url, user = 'default', password = '' }: RemoteAddress): EndpointSource {
  const endpoint: Endpoint = { url, username: user, password }
  return { state: 'ready', endpoint: () => endpoint }
}

export interface RemoteAddress {
  /** Without credentials. */
  readonly url: string
  readonly user?: string
  readonly password?: string
}

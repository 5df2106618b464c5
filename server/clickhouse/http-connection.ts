import { text } from 'node:stream/consumers'
import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client'
import { createDatabase } from '#sql'
import { errorOfResponse, isSuccess, mapClickHouseError, unavailable } from './clickhouse-errors.ts'
import type { Endpoint, EndpointSource, EngineState } from './endpoint.ts'
import { concurrentMax, insertSecondsMax, type QueryLimits } from './query-limits.ts'
import { ReadRequests, requestMarginMs } from './read-request.ts'

/** Number of sockets for pings, which are separate so that they wait for neither reads nor inserts. */
const otherConnectionsMax = 8

/** Number of sockets for commands. */
const commandConnectionsMax = 8

/**
 * Milliseconds without a response after which a command fails: the longest that a timer can wait. A migration of
 * billions of rows takes hours, in which ClickHouse sends nothing, and it would go on after the socket has timed out. A
 * server that is gone without closing its connections is noticed by the keep-alive probes of TCP.
 */
const commandMsMax = 2 ** 31 - 1

/**
 * Milliseconds in which a database must be created. It is the first statement of a server that starts, which tries
 * again, and may meet a load balancer that accepts connections and never answers on them.
 */
const createDatabaseMsMax = 10_000

/** Milliseconds without a response after which an insert fails, or a read that has no time limit of its own. */
const requestMsMax = insertSecondsMax * 1000 + requestMarginMs

interface Connected {
  readonly endpoint: Endpoint
  readonly client: ClickHouseClient
  readonly commands: ClickHouseClient
  readonly reads: ReadRequests
}

/**
 * The HTTP client of one database. It reconnects when the endpoint changes, as it does when an embedded engine
 * restarts.
 */
export class HttpConnection {
  private readonly source: EndpointSource
  private readonly database: string
  private readonly limits: QueryLimits
  private connected: Connected | undefined
  private closed = false

  constructor(source: EndpointSource, database: string, limits: QueryLimits) {
    this.source = source
    this.database = database
    this.limits = limits
  }

  get state(): EngineState {
    return this.closed ? 'stopped' : this.source.state
  }

  /** Memory that ClickHouse may use in total, if known. */
  get memoryBytesMax(): number | undefined {
    return this.source.endpoint()?.memoryBytesMax
  }

  /** Returns a client of the current endpoint. @throws unavailable while there is no endpoint */
  client(): ClickHouseClient {
    return this.current().client
  }

  /** Returns a client for statements that may take hours. @throws unavailable while there is no endpoint */
  commands(): ClickHouseClient {
    return this.current().commands
  }

  /** Returns what sends reads to the current endpoint. @throws unavailable while there is no endpoint */
  readRequests(): ReadRequests {
    return this.current().reads
  }

  /** Creates the database if it does not exist, over a connection to `default`, which always exists. */
  async createDatabase(): Promise<void> {
    const client = connect(this.currentEndpoint(), {
      database: 'default',
      max_open_connections: 1,
      request_timeout: createDatabaseMsMax,
    })
    try {
      await execute(client, { query: createDatabase(this.database) })
    } catch (error) {
      throw mapClickHouseError(error, 'the creation of the database')
    } finally {
      await client.close()
    }
  }

  async close(): Promise<void> {
    this.closed = true
    await this.disconnect()
  }

  private current(): Connected {
    const endpoint = this.currentEndpoint()
    if (this.connected?.endpoint === endpoint) return this.connected
    void this.disconnect()
    const reads = new ReadRequests({
      endpoint,
      database: this.database,
      connectionsMax: concurrentMax(this.limits),
      timeoutMs: requestMsMax,
    })
    const client = connect(endpoint, {
      database: this.database,
      max_open_connections: concurrentMax(this.limits) + otherConnectionsMax,
      request_timeout: requestMsMax,
    })
    this.connected = { endpoint, client, commands: connectForCommands(endpoint, this.database), reads }
    return this.connected
  }

  private async disconnect(): Promise<void> {
    const { connected } = this
    this.connected = undefined
    await Promise.all([connected?.client.close(), connected?.commands.close(), connected?.reads.close()])
  }

  private currentEndpoint(): Endpoint {
    const endpoint = this.closed ? undefined : this.source.endpoint()
    if (endpoint === undefined) throw unavailable('The telemetry store is starting. Retry later.')
    return endpoint
  }
}

/**
 * Runs a statement without a result, and reads its response to the end, which frees the socket.
 * @throws ClickHouseError for a statement that ClickHouse refuses, unavailable if only a load balancer responds
 */
export async function execute(
  client: ClickHouseClient,
  statement: Parameters<ClickHouseClient['exec']>[0],
): Promise<void> {
  const response = await client.exec({ ...statement, ignore_error_response: true })
  const { http_status_code: status = 200, response_headers: headers } = response
  const body = await text(response.stream)
  if (!isSuccess(status, headers)) throw errorOfResponse(status, body)
}

type ConnectionOptions = Required<
  Pick<ClickHouseClientConfigOptions, 'database' | 'max_open_connections' | 'request_timeout'>
>

function connectForCommands(endpoint: Endpoint, database: string): ClickHouseClient {
  return connect(endpoint, { database, max_open_connections: commandConnectionsMax, request_timeout: commandMsMax })
}

function connect({ url, username, password, headers }: Endpoint, options: ConnectionOptions): ClickHouseClient {
  return createClient({
    ...options,
    url,
    username,
    password,
    application: 'tracefold',
    http_headers: { ...headers },
    compression: { request: false, response: false },
    // The log lines of the client contain parameters.
    log: { level: ClickHouseLogLevel.OFF },
  })
}

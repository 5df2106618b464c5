import { Socket } from 'node:net'
import pg from 'pg'
import { isReadOnly } from './store-error.ts'

const int8Oid = 20

/** Milliseconds after which the database ends a statement. */
const statementMsMax = 30_000
/** Milliseconds after which a statement without any answer fails, because the connection may be dead. */
const defaultAnswerMsMax = 35_000
/**
 * Milliseconds after which the database ends a transaction that sends nothing. Without it, the locks of a server that
 * lost its power or its network would stop the others for hours. Snapshots, which wait for files, lift it.
 */
const idleTransactionMsMax = 60_000

/** Milliseconds of silence after which TCP checks that the other end of a connection still exists. */
const keepAliveMs = 10_000

/** A pool of connections that can be ended without waiting for answers. */
export interface PostgresPool {
  readonly pool: pg.Pool
  /** Waits for the connections that are in use. May be called more than once. */
  end(): Promise<void>
  /** Closes all connections at once. Queries that run fail, and so do later ones. */
  cut(): void
}

/**
 * Opens a pool of connections. `answerMsMax` is the time that a client waits for the answer to a statement, 0 for any
 * time. Parameters of the URL take precedence over the timeouts.
 */
export function openPool(url: string, answerMsMax = defaultAnswerMsMax): PostgresPool {
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    stream() {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    },
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementMsMax,
    query_timeout: answerMsMax,
    idle_in_transaction_session_timeout: idleTransactionMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'tracefold',
    // Returns counts as numbers, as libsql does.
    types: { getTypeParser: (oid, format) => (oid === int8Oid ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // The pool replaces a broken idle connection at the next use. Without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // A transaction fails with its next statement if its connection breaks between two of them.
    client.on('error', () => {})
  })
  closeUnusable(pool)
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= pool.end()
    return ended
  }
  return {
    pool,
    end,
    cut() {
      void end()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Closes connections that the pool would hand out again although they are of no use. */
function closeUnusable(pool: pg.Pool): void {
  /** Connections on which nothing can be written. After a failover they lead to what was the primary before. */
  const readOnly = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    onQueryError(client, (error) => {
      // Every later query would wait for the answer to this one, which never comes if the host of the database is gone.
      if (error instanceof Error && error.message === 'Query read timeout') void client.end()
      if (isReadOnly(error)) readOnly.add(client)
    })
  })
  // Not before a transaction is rolled back, because the fault of that would hide this one.
  pool.on('release', (_, client) => {
    if (readOnly.has(client)) void client.end()
  })
}

/** Calls `handle` with the error of each query that fails. */
function onQueryError(client: pg.PoolClient, handle: (error: unknown) => void): void {
  const query = client.query.bind(client) as (...sent: readonly unknown[]) => Promise<unknown>
  const watched = async (...sent: readonly unknown[]) => {
    try {
      return await query(...sent)
    } catch (error) {
      handle(error)
      throw error
    }
  }
  client.query = watched as typeof client.query
}

import pg from 'pg'

const int8Oid = 20

/** Milliseconds after which the database ends a statement. */
const statementMsMax = 30_000
/** Milliseconds after which a statement without any answer fails, because the connection may be dead. */
const answerMsMax = 35_000
/**
 * Milliseconds after which the database ends a transaction that sends nothing. Without it, the locks of a server that
 * lost its power or its network would stop the others for hours. Snapshots, which wait for files, lift it.
 */
const idleTransactionMsMax = 60_000

/** Opens a pool of connections. Parameters of the URL take precedence over the timeouts. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementMsMax,
    query_timeout: answerMsMax,
    idle_in_transaction_session_timeout: idleTransactionMsMax,
    keepAlive: true,
    application_name: 'tracefold',
    // Returns counts as numbers, as libsql does.
    types: { getTypeParser: (oid, format) => (oid === int8Oid ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // The pool replaces a broken idle connection at the next use. Without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // A transaction fails with its next statement if its connection breaks between two of them.
    client.on('error', () => {})
    closeUnanswered(client)
  })
  return pool
}

/**
 * Closes the connection when a query times out. The pool would hand it out again, and every later query would wait for
 * the answer to that one, which never comes if the host of the database is gone.
 */
function closeUnanswered(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...sent: readonly unknown[]) => Promise<unknown>
  const closing = async (...sent: readonly unknown[]) => {
    try {
      return await query(...sent)
    } catch (error) {
      if (error instanceof Error && error.message === 'Query read timeout') void client.end()
      throw error
    }
  }
  client.query = closing as typeof client.query
}

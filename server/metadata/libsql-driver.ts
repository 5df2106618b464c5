import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import Libsql from 'libsql'
import { fileFault, StoreFault } from '../problem/store-fault.ts'
import { makePrivateDirectory } from '../secrets/private-directory.ts'
import { isBusy, isDamaged } from './store-error.ts'

const busyBlockingMs = 20
const busyPauseMs = 20
const busyTriesMax = 250

/**
 * Retries `work` while another process holds the write lock, for about 10 s in total. libsql runs on this thread and
 * blocks the whole server during its own busy timeout, so that timeout is short; the pauses between tries do not block.
 */
async function whenFree<T>(work: () => T): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || tries >= busyTriesMax) throw error
      await sleep(busyPauseMs)
    }
  }
}

/** Opens a file that only its owner may read. Creates the file and its directory if they do not exist. */
function openFile(path: string): Libsql.Database {
  try {
    makePrivateDirectory(dirname(path))
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw fileFault(path, error)
  }
  const database = new Libsql(path)
  database.pragma(`busy_timeout = ${busyBlockingMs}`)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  return database
}

/** Refuses values of types with which libsql aborts the process. */
function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === null || ['string', 'number', 'bigint'].includes(typeof value) || Buffer.isBuffer(value)) continue
    throw new TypeError(`A value of type ${typeof value} cannot be stored. Use a string or a number.`)
  }
}

/** Runs `work` and explains an error about the content of the file. */
async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDamaged(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreFault(
      `${path} is damaged: ${reason}. Restore it from a backup, or move it away to start without records.`,
      { cause: error },
    )
  }
}

class LibsqlConnection implements DatabaseConnection {
  readonly #database: Libsql.Database
  readonly #path: string

  constructor(database: Libsql.Database, path: string) {
    this.#database = database
    this.#path = path
  }

  /**
   * Acquires the write lock immediately: a transaction that reads first and writes later fails if another one writes in
   * between. A read-only transaction takes no lock and sees the store as it was at its first read. Uses `exec`, because
   * a prepared statement that finds the store busy stays in progress until it is garbage collected, and no commit
   * succeeds until then.
   */
  begin(accessMode: TransactionSettings['accessMode'] = 'read write'): Promise<void> {
    const statement = accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE'
    return explained(this.#path, () => whenFree(() => this.#database.exec(statement))).then(() => {})
  }

  end(how: 'COMMIT' | 'ROLLBACK'): void {
    // After some errors SQLite has already rolled the transaction back.
    if (how === 'COMMIT' || this.#database.inTransaction) this.#database.exec(how)
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return explained(this.#path, () => this.#execute<R>(query))
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    checkParameters(query.parameters)
    if (this.#database.inTransaction) return this.#run(query)
    if (/^\s*(select|with)\b/i.test(query.sql)) return whenFree(() => this.#run<R>(query))
    await this.begin()
    try {
      const result = this.#run<R>(query)
      this.end('COMMIT')
      return result
    } catch (error) {
      this.end('ROLLBACK')
      throw error
    }
  }

  #run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#database.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('libsql does not stream.')
  }
}

/**
 * One connection to one file, used by one caller at a time. Unlike Kysely's SQLite driver, it waits for a busy store.
 */
export class LibsqlDriver implements Driver {
  readonly #path: string
  #database: Libsql.Database | undefined
  #connection: LibsqlConnection | undefined
  #released: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(path: string) {
    this.#path = path
  }

  async init(): Promise<void> {
    this.#database = await explained(this.#path, () => whenFree(() => openFile(this.#path)))
    this.#connection = new LibsqlConnection(this.#database, this.#path)
  }

  async acquireConnection(): Promise<LibsqlConnection> {
    const before = this.#released
    const { promise, resolve } = withResolver()
    this.#released = promise
    await before
    this.#release = resolve
    if (this.#connection) return this.#connection
    resolve()
    throw new Error('The metadata store is closed.')
  }

  beginTransaction(connection: LibsqlConnection, { accessMode }: TransactionSettings): Promise<void> {
    return connection.begin(accessMode)
  }

  async commitTransaction(connection: LibsqlConnection): Promise<void> {
    connection.end('COMMIT')
  }

  async rollbackTransaction(connection: LibsqlConnection): Promise<void> {
    connection.end('ROLLBACK')
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async destroy(): Promise<void> {
    this.#database?.close()
    this.#connection = undefined
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import Libsql from 'libsql'
import { isBusy } from './store-error.ts'

const busyBlockingMs = 20
const busyPauseMs = 20
const busyTriesMax = 250

/**
 * libsql runs on this thread: while another process writes, it would stop the whole server for as long as its own busy
 * timeout says. So that is short, and the longer wait (about 10 s in all) leaves the thread to others.
 */
async function whenFree<T>(step: () => T): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return step()
    } catch (error) {
      if (!isBusy(error) || tries >= busyTriesMax) throw error
      await sleep(busyPauseMs)
    }
  }
}

/** Makes a file that only its owner may read, in a directory made for it. */
function openFile(path: string): Libsql.Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  const database = new Libsql(path)
  database.pragma(`busy_timeout = ${busyBlockingMs}`)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  return database
}

/** A value of any other type does not fail in libsql: it aborts the process. */
function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === null || ['string', 'number', 'bigint'].includes(typeof value) || Buffer.isBuffer(value)) continue
    throw new TypeError(`A value of type ${typeof value} cannot be stored: use a text or a number.`)
  }
}

class LibsqlConnection implements DatabaseConnection {
  readonly #database: Libsql.Database

  constructor(database: Libsql.Database) {
    this.#database = database
  }

  /**
   * The write lock is taken at the beginning: a transaction that reads first and writes later would fail when another one
   * writes between. It is taken by `exec`, because a prepared statement that found the store busy stays in progress until
   * it is garbage collected, and refuses every commit until then.
   */
  begin(): Promise<void> {
    return whenFree(() => this.#database.exec('BEGIN IMMEDIATE')).then(() => {})
  }

  end(how: 'COMMIT' | 'ROLLBACK'): void {
    // Some errors end a transaction by themselves, and then there is nothing left to roll back.
    if (how === 'COMMIT' || this.#database.inTransaction) this.#database.exec(how)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    checkParameters(query.parameters)
    if (this.#database.inTransaction) return this.#run(query)
    if (/^\s*select\b/i.test(query.sql)) return whenFree(() => this.#run<R>(query))
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
    throw new Error('libsql answers at once; there is nothing to stream.')
  }
}

/** One connection to one file, used by one caller at a time. Kysely's own SQLite driver has no answer to a busy store. */
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
    this.#database = await whenFree(() => openFile(this.#path))
    this.#connection = new LibsqlConnection(this.#database)
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

  beginTransaction(connection: LibsqlConnection): Promise<void> {
    return connection.begin()
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

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import type { OutageLog } from '../observability/outage-log.ts'
import { isStoreOut, Problem } from '../problem/problem.ts'
import { storeError } from './store-error.ts'

type WithStoreErrors = <T>(work: () => Promise<T>) => Promise<T>

function translateErrors(outages: OutageLog | undefined): WithStoreErrors {
  return async (work) => {
    try {
      const result = await work()
      outages?.succeeded()
      return result
    } catch (error) {
      const translated = storeError(error)
      if (translated instanceof Problem && isStoreOut(translated)) outages?.failed(translated)
      throw translated
    }
  }
}

class ErrorConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #withStoreErrors: WithStoreErrors

  constructor(inner: DatabaseConnection, withStoreErrors: WithStoreErrors) {
    this.inner = inner
    this.#withStoreErrors = withStoreErrors
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#withStoreErrors(() => this.inner.executeQuery<R>(query))
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The metadata store does not stream: its lists are read page by page.')
  }
}

/**
 * A Kysely driver that translates the errors of a store into problems, and tells the log when the store cannot be used.
 * No other code handles errors of a store.
 */
export class ErrorDriver implements Driver {
  readonly #inner: Driver
  readonly #withStoreErrors: WithStoreErrors

  constructor(inner: Driver, outages?: OutageLog) {
    this.#inner = inner
    this.#withStoreErrors = translateErrors(outages)
  }

  init(): Promise<void> {
    return this.#withStoreErrors(() => this.#inner.init())
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await this.#withStoreErrors(() => this.#inner.acquireConnection())
    return new ErrorConnection(inner, this.#withStoreErrors)
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.#withStoreErrors(() => this.#inner.beginTransaction(innerOf(connection), settings))
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#withStoreErrors(() => this.#inner.commitTransaction(innerOf(connection)))
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#withStoreErrors(() => this.#inner.rollbackTransaction(innerOf(connection)))
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#inner.releaseConnection(innerOf(connection))
  }

  destroy(): Promise<void> {
    return this.#inner.destroy()
  }
}

function innerOf(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof ErrorConnection ? connection.inner : connection
}

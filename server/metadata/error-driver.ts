import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import { storeError } from './store-error.ts'

async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storeError(error)
  }
}

class ErrorConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection

  constructor(inner: DatabaseConnection) {
    this.inner = inner
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return withStoreErrors(() => this.inner.executeQuery<R>(query))
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The metadata store does not stream: its lists are read page by page.')
  }
}

/** A Kysely driver that translates the errors of a store into problems. No other code handles errors of a store. */
export class ErrorDriver implements Driver {
  readonly #inner: Driver

  constructor(inner: Driver) {
    this.#inner = inner
  }

  init(): Promise<void> {
    return withStoreErrors(() => this.#inner.init())
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new ErrorConnection(await withStoreErrors(() => this.#inner.acquireConnection()))
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return withStoreErrors(() => this.#inner.beginTransaction(innerOf(connection), settings))
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return withStoreErrors(() => this.#inner.commitTransaction(innerOf(connection)))
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return withStoreErrors(() => this.#inner.rollbackTransaction(innerOf(connection)))
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

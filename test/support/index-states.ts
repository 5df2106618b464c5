import type { Env } from '../../server/config/config.ts'
import { newDatabaseName } from './engine.ts'

/** Two servers with one database: one uses the value index for every search, the other neither stores nor uses it. */
export interface IndexStates<Server> {
  readonly indexing: Server
  readonly plain: Server
}

export async function openIndexStates<Server>(open: (env: Env) => Promise<Server>): Promise<IndexStates<Server>> {
  const database = { CLICKHOUSE_DATABASE: newDatabaseName() }
  const indexing = await open({ ...database, VALUE_INDEX: 'always' })
  return { indexing, plain: await open({ ...database, VALUE_INDEX: 'off' }) }
}

export async function closeIndexStates({ indexing, plain }: IndexStates<{ close(): Promise<void> }>): Promise<void> {
  await plain.close()
  await indexing.close()
}

interface SetServers<Server> {
  /** The server that answers. */
  readonly subject: Server
  /** Returns the server that stores a delivery, by its number. */
  writer(delivery: number): Server
}

/** Returns the servers of a set, which has a complete index, one that lacks some deliveries, or none. */
export function serversOf<Server>({ indexing, plain }: IndexStates<Server>, seed: number): SetServers<Server> {
  const writers = [[indexing], [indexing, plain], [plain, indexing], [indexing]][seed % 4] ?? []
  return {
    subject: seed % 4 === 0 ? plain : indexing,
    writer: (delivery) => writers[delivery % writers.length] ?? indexing,
  }
}

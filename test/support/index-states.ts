import type { Env } from '../../server/config/sources.ts'
import { newDatabaseName } from './engine.ts'
import type { LogModel } from './log-model.ts'
import type { RandomTraces } from './random-traces.ts'
import { timeOf } from './reference-logs.ts'
import type { SpanModel } from './span-model.ts'

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

export interface SetServers<Server> {
  /** The server that answers. */
  readonly subject: Server
  /** Returns the server that stores a delivery, by its number. */
  writer(delivery: number): Server
  /** Returns the traces in the deliveries that the servers store. */
  delivered(traces: RandomTraces): RandomTraces
}

/**
 * Returns the servers of a set, which has a complete index, one that lacks some deliveries, one that lacks spans of one
 * time, or none.
 */
export function serversOf<Server>({ indexing, plain }: IndexStates<Server>, seed: number): SetServers<Server> {
  // The shape of a set follows from the last digit of its seed, so every shape should occur in every state.
  const state = (seed + Math.floor(seed / 10)) % indexedBy.length
  const writers = indexedBy[state]?.map((isIndexed) => (isIndexed ? indexing : plain)) ?? []
  return {
    subject: state === none ? plain : indexing,
    writer: (delivery) => writers[delivery % writers.length] ?? indexing,
    delivered: (traces) => (state === lacksMiddle ? withMiddleApart(traces, seed) : traces),
  }
}

/** Stores log records in the deliveries of a set. In some sets, each delivery has the records of a time of its own. */
export async function storeLogs<Server extends { store(org: string, records: readonly LogModel[]): Promise<void> }>(
  { writer }: SetServers<Server>,
  org: string,
  { seed, records }: { readonly seed: number; readonly records: readonly LogModel[] },
): Promise<void> {
  const isByTime = Math.floor(seed / 50) % 2 === 0
  const ordered = isByTime ? records.toSorted((left, right) => (timeOf(left) < timeOf(right) ? -1 : 1)) : records
  const length = Math.ceil(ordered.length / logDeliveries)
  for (let delivery = 0; delivery < logDeliveries; delivery++) {
    const delivered = ordered.slice(delivery * length, (delivery + 1) * length)
    if (delivered.length > 0) await writer(delivery).store(org, delivered)
  }
}

/** An odd number, so that either the first and the last delivery are indexed, or neither is. */
const logDeliveries = 5

/** Which deliveries of each state are indexed, in turns. */
const indexedBy: readonly (readonly boolean[])[] = [[false], [true, false], [false, true], [true], [true, false]]
const none = 0
const lacksMiddle = 4

/**
 * Splits each delivery into the spans of a time in the middle, which are stored last, and the others. A page of the
 * newest messages then has to read times that the index does not cover between others that it does.
 */
function withMiddleApart(traces: RandomTraces, seed: number): RandomTraces {
  const starts = traces.rows.map(({ startNs }) => startNs).sort((left, right) => (left < right ? -1 : 1))
  const startAt = (ninths: number) => starts[Math.floor((starts.length * ninths) / 9)] ?? 0n
  const middle = 1 + (seed % 7)
  const isApart = ({ startNs }: SpanModel) => startNs >= startAt(middle) && startNs < startAt(middle + 1)
  const batches = traces.batches.flatMap((batch) => {
    const others = batch.filter((span) => !isApart(span))
    return others.length === 0 ? [batch, []] : [others, batch.filter(isApart)]
  })
  return { ...traces, batches, rows: batches.flat() }
}

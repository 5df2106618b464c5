import type { ClickHouse, ReadOptions, ReadQuery, ReadResult } from '../clickhouse/client.ts'
import { isStoreOut, Problem } from '../problem/problem.ts'
import { createOutageLog, type OutageLog, type OutageLogger, outageQuietMs } from './outage-log.ts'
import type { Prometheus } from './prometheus.ts'

const outageMessages = {
  failure: 'Could not query ClickHouse, so requests that read telemetry are refused',
  recovery: 'ClickHouse answers queries again',
}

/**
 * Wraps a ClickHouse so that every read is counted and timed by its label, and that an outage in which reads of
 * requests fail is logged once.
 */
export function measureReads(clickhouse: ClickHouse, metrics: Prometheus['query'], logger: OutageLogger): ClickHouse {
  const outcomes = countOutcomes(metrics, createOutageLog(logger, outageMessages, { quietMs: outageQuietMs }))
  return {
    get state() {
      return clickhouse.state
    },
    database: clickhouse.database,
    nodes: clickhouse.nodes,
    get queues() {
      return clickhouse.queues
    },
    get known() {
      return clickhouse.known
    },
    async read<Row>(query: ReadQuery, options: ReadOptions): Promise<ReadResult<Row>> {
      const { label } = options
      const stop = metrics.duration.startTimer({ label })
      metrics.inFlight.inc()
      try {
        const result = await clickhouse.read<Row>(query, options)
        metrics.rowsRead.inc({ label }, result.rowsRead)
        outcomes.succeeded(options)
        return result
      } catch (error) {
        outcomes.failed(error, options)
        throw error
      } finally {
        stop()
        metrics.inFlight.dec()
      }
    },
    async *readBlocks<Row>(query: ReadQuery, options: ReadOptions): AsyncIterable<readonly Row[]> {
      const stop = metrics.duration.startTimer({ label: options.label })
      metrics.inFlight.inc()
      let failure: unknown
      try {
        yield* clickhouse.readBlocks<Row>(query, options)
      } catch (error) {
        failure = error
        throw error
      } finally {
        stop()
        if (failure === undefined) outcomes.succeeded(options)
        else outcomes.failed(failure, options)
        metrics.inFlight.dec()
      }
    },
    insert: (table, columns, rowBinary, options) => clickhouse.insert(table, columns, rowBinary, options),
    command: (text, params) => clickhouse.command(text, params),
    createDatabase: () => clickhouse.createDatabase(),
    ping: () => clickhouse.ping(),
    close: () => clickhouse.close(),
  }
}

/** Counts how reads end. Background work logs its own failures, so only those of requests count as an outage. */
function countOutcomes({ queries }: Prometheus['query'], outages: OutageLog) {
  return {
    succeeded({ label }: ReadOptions) {
      queries.inc({ label, outcome: 'ok' })
      outages.succeeded()
    },
    failed(error: unknown, { label, for: readFor, signal }: ReadOptions) {
      queries.inc({ label, outcome: outcomeOf(error, signal) })
      const isOfRequest = typeof readFor === 'object' && 'isBackground' in readFor && !readFor.isBackground
      if (isOfRequest && error instanceof Problem && isStoreOut(error)) outages.failed(error)
    },
  }
}

function outcomeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true) return 'aborted'
  return error instanceof Problem ? error.code : 'failed'
}

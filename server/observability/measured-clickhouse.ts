import type { ClickHouse, ReadOptions, ReadQuery, ReadResult } from '../clickhouse/client.ts'
import { isStoreOut, Problem } from '../problem/problem.ts'
import { createOutageLog, type OutageLogger, outageQuietMs } from './outage-log.ts'
import type { Prometheus } from './prometheus.ts'

const outageMessages = {
  failure: 'Could not query ClickHouse, so requests that read telemetry are refused',
  recovery: 'ClickHouse answers queries again',
}

/**
 * Wraps a ClickHouse so that every read is counted and timed by its label, and that an outage in which reads of
 * requests fail is logged once. Background work logs its own failures.
 */
export function measureReads(clickhouse: ClickHouse, metrics: Prometheus['query'], logger: OutageLogger): ClickHouse {
  const outages = createOutageLog(logger, outageMessages, { quietMs: outageQuietMs })
  const countFailure = (error: unknown, { label, for: readFor, signal }: ReadOptions) => {
    metrics.queries.inc({ label, outcome: outcomeOf(error, signal) })
    const isOfRequest = typeof readFor === 'object' && 'isBackground' in readFor && !readFor.isBackground
    if (isOfRequest && error instanceof Problem && isStoreOut(error)) outages.failed(error)
  }
  const countSuccess = ({ label }: ReadOptions) => {
    metrics.queries.inc({ label, outcome: 'ok' })
    outages.succeeded()
  }
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
        countSuccess(options)
        return result
      } catch (error) {
        countFailure(error, options)
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
        if (failure === undefined) countSuccess(options)
        else countFailure(failure, options)
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

function outcomeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true) return 'aborted'
  return error instanceof Problem ? error.code : 'failed'
}

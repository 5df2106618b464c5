import type { ClickHouse, ReadOptions, ReadQuery, ReadResult } from '../clickhouse/client.ts'
import { Problem } from '../problem/problem.ts'
import type { Prometheus } from './prometheus.ts'

/** Wraps a ClickHouse so that every read is counted and timed by its label. */
export function measureReads(clickhouse: ClickHouse, metrics: Prometheus['query']): ClickHouse {
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
        metrics.queries.inc({ label, outcome: 'ok' })
        return result
      } catch (error) {
        metrics.queries.inc({ label, outcome: outcomeOf(error, options.signal) })
        throw error
      } finally {
        stop()
        metrics.inFlight.dec()
      }
    },
    async *readBlocks<Row>(query: ReadQuery, options: ReadOptions): AsyncIterable<readonly Row[]> {
      const stop = metrics.duration.startTimer({ label: options.label })
      metrics.inFlight.inc()
      let outcome = 'ok'
      try {
        yield* clickhouse.readBlocks<Row>(query, options)
      } catch (error) {
        outcome = outcomeOf(error, options.signal)
        throw error
      } finally {
        stop()
        metrics.queries.inc({ label: options.label, outcome })
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

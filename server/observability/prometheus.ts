import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** For histograms with a label of many values: each bucket adds a line per value to every scrape. */
const coarseBuckets = [0.1, 1, 10]
const batchBuckets = [1, 10, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000]

/**
 * The Prometheus metrics of the server, with conventional names and units (base units, `_total`). Label values come
 * from closed lists (operation ids, tools, signals, query labels), so the number of series is bounded.
 */
export type Prometheus = ReturnType<typeof createPrometheus>

/**
 * Creates the metrics of one server. `collectProcess` adds event-loop lag, memory, garbage collection and file
 * descriptors under the usual names (`process_*`, `nodejs_*`), which common dashboards read; it is off where several
 * servers share a process.
 */
export function createPrometheus({ collectProcess }: { readonly collectProcess: boolean }) {
  const registry = new Registry()
  if (collectProcess) collectDefaultMetrics({ register: registry })
  return {
    registry,
    http: httpMetrics(registry),
    grpc: grpcMetrics(registry),
    quotas: quotaMetrics(registry),
    ingest: ingestMetrics(registry),
    query: queryMetrics(registry),
    engine: engineMetrics(registry),
    store: storeMetrics(registry),
    deliveries: deliveryMetrics(registry),
    alerting: alertingMetrics(registry),
  }
}

interface CounterOptions<Label extends string, Value extends string> {
  readonly name: string
  readonly help: string
  readonly label: Label
  readonly values: readonly Value[]
}

/**
 * Creates a counter by the values of one label, and begins each of its series with zero. `rate` and `increase` of
 * Prometheus see no change when a series appears with a one, so an alert rule would miss the first event.
 */
function counterOf<Label extends string, const Value extends string>(
  registry: Registry,
  { name, help, label, values }: CounterOptions<Label, Value>,
): { inc(labels: Readonly<Record<Label, Value>>, count?: number): void } {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] })
  for (const value of values) counter.inc({ [label]: value } as Record<Label, Value>, 0)
  return counter
}

function httpMetrics(registry: Registry) {
  const registers = [registry]
  return {
    inFlight: new Gauge({
      name: 'tracefold_http_requests_in_flight',
      help: 'HTTP requests in progress.',
      registers,
    }),
    requests: new Counter({
      name: 'tracefold_http_requests_total',
      help: 'HTTP requests by operation of the API document, or tool of /mcp, and by status.',
      labelNames: ['operation', 'status'] as const,
      registers,
    }),
    duration: new Histogram({
      name: 'tracefold_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the end of its response, by operation or tool of /mcp.',
      labelNames: ['operation'] as const,
      buckets: coarseBuckets,
      registers,
    }),
  }
}

function grpcMetrics(registry: Registry) {
  return {
    duration: new Histogram({
      name: 'tracefold_grpc_request_duration_seconds',
      help: 'Time from the start of an OTLP/gRPC request to its response, by signal and gRPC status code.',
      labelNames: ['signal', 'code'] as const,
      buckets: latencyBuckets,
      registers: [registry],
    }),
  }
}

function quotaMetrics(registry: Registry) {
  return {
    refusals: counterOf(registry, {
      name: 'tracefold_quota_refusals_total',
      help: 'Requests refused because an organization exceeds a quota, by quota: requests, items or stored_bytes.',
      label: 'quota',
      values: ['requests', 'items', 'stored_bytes'],
    }),
    used: new Gauge({
      name: 'tracefold_quota_used_ratio',
      help: 'Share of a quota that the organization with the highest share uses, by quota: stored_bytes or series.',
      labelNames: ['quota'] as const,
      registers: [registry],
    }),
  }
}

function ingestMetrics(registry: Registry) {
  const registers = [registry]
  const labelNames = ['signal'] as const
  return {
    accepted: new Counter({
      name: 'tracefold_ingest_accepted_total',
      help: 'Items (spans, data points, log records) that ClickHouse has acknowledged.',
      labelNames,
      registers,
    }),
    rejected: new Counter({
      name: 'tracefold_ingest_rejected_total',
      help: 'Items (spans, data points, log records) rejected as invalid, with partial success as response.',
      labelNames,
      registers,
    }),
    bytes: new Counter({
      name: 'tracefold_ingest_bytes_total',
      help: 'Bytes of accepted OTLP bodies after decompression.',
      labelNames,
      registers,
    }),
    inFlightBytes: new Gauge({
      name: 'tracefold_ingest_in_flight_bytes',
      help: 'Bytes of OTLP bodies that are being stored.',
      registers,
    }),
    batchSize: new Histogram({
      name: 'tracefold_ingest_batch_items',
      help: 'Items (spans, data points, log records) of one OTLP request.',
      labelNames,
      buckets: batchBuckets,
      registers,
    }),
    duration: new Histogram({
      name: 'tracefold_ingest_duration_seconds',
      help: 'Time from the receipt of a complete OTLP body to its acknowledgement.',
      labelNames: ['signal', 'outcome'] as const,
      buckets: latencyBuckets,
      registers,
    }),
  }
}

function queryMetrics(registry: Registry) {
  const registers = [registry]
  return {
    inFlight: new Gauge({ name: 'tracefold_queries_in_flight', help: 'ClickHouse queries in progress.', registers }),
    queries: new Counter({
      name: 'tracefold_queries_total',
      help: 'ClickHouse queries by label and outcome: ok, aborted, failed or the code of a problem.',
      labelNames: ['label', 'outcome'] as const,
      registers,
    }),
    duration: new Histogram({
      name: 'tracefold_query_duration_seconds',
      help: 'Duration of one ClickHouse query as seen by the server, by the label of the query.',
      labelNames: ['label'] as const,
      buckets: coarseBuckets,
      registers,
    }),
    rowsRead: new Counter({
      name: 'tracefold_query_rows_read_total',
      help: 'Rows read by ClickHouse queries, by the label of the query.',
      labelNames: ['label'] as const,
      registers,
    }),
  }
}

function engineMetrics(registry: Registry) {
  return {
    restarts: counterOf(registry, {
      name: 'tracefold_engine_restarts_total',
      help: 'Restarts of the embedded ClickHouse, by cause: it ended, or it hung and was killed.',
      label: 'cause',
      values: ['ended', 'hung'],
    }),
  }
}

function storeMetrics(registry: Registry) {
  const registers = [registry]
  const ofTable = (name: string, help: string) =>
    new Gauge({ name: `tracefold_clickhouse_${name}`, help, labelNames: ['table'] as const, registers })
  const ofDisk = (name: string, help: string) =>
    new Gauge({ name: `tracefold_clickhouse_${name}`, help, labelNames: ['disk'] as const, registers })
  const ofQueue = (name: string, help: string) =>
    new Gauge({ name: `tracefold_${name}`, help, labelNames: ['queue'] as const, registers })
  return {
    parts: ofTable('parts', 'Active parts of a table, on the node that has the most.'),
    partsMax: ofTable('parts_max', 'Parts of a table at which ClickHouse rejects inserts.'),
    partitions: ofTable('partitions', 'Partitions, which are days, of a table, on the node that has the most parts.'),
    partitionParts: ofTable('partition_parts', 'Active parts of the largest partition of a table.'),
    partitionPartsMax: ofTable('partition_parts_max', 'Parts of a partition at which ClickHouse rejects inserts.'),
    diskFreeBytes: ofDisk('disk_free_bytes', 'Free bytes of a disk of ClickHouse, on the node that has the fewest.'),
    diskBytes: ofDisk('disk_bytes', 'Size of a disk of ClickHouse.'),
    clockAheadSeconds: new Gauge({
      name: 'tracefold_clock_ahead_seconds',
      help: 'Time by which the clock of this server is ahead of that of a store; negative if it is behind.',
      labelNames: ['store'] as const,
      registers,
    }),
    turnsHeld: ofQueue('turns_held', 'Reads or inserts that ClickHouse is working on.'),
    turnsWaiting: ofQueue('turns_waiting', 'Reads or inserts that wait for their turn.'),
  }
}

function deliveryMetrics(registry: Registry) {
  const registers = [registry]
  return {
    outcomes: counterOf(registry, {
      name: 'tracefold_deliveries_total',
      help: 'Attempts to deliver a notification to a channel, by outcome: delivered, retried, failed or skipped.',
      label: 'outcome',
      values: ['delivered', 'retried', 'failed', 'skipped'],
    }),
    duration: new Histogram({
      name: 'tracefold_delivery_duration_seconds',
      help: 'Duration of one request to the receiver of a channel.',
      buckets: latencyBuckets,
      registers,
    }),
  }
}

function alertingMetrics(registry: Registry) {
  const registers = [registry]
  return {
    passes: new Histogram({
      name: 'tracefold_alert_pass_duration_seconds',
      help:
        'Duration of one evaluation of all due alert rules, by outcome: done, stopped or failed. ' +
        'It should stay below ALERT_PERIOD_SECONDS.',
      labelNames: ['outcome'] as const,
      buckets: latencyBuckets,
      registers,
    }),
    evaluations: counterOf(registry, {
      name: 'tracefold_alert_evaluations_total',
      help: 'Evaluations of single alert rules, by outcome: evaluated or failed.',
      label: 'outcome',
      values: ['evaluated', 'failed'],
    }),
    alerts: counterOf(registry, {
      name: 'tracefold_alerts_total',
      help: 'Alerts that started to fire or were resolved by an evaluation.',
      label: 'event',
      values: ['firing', 'resolved'],
    }),
  }
}

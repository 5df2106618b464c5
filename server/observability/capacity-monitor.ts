import { type Capacity, readCapacity } from '../clickhouse/capacity.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import { inMebibytes } from '../config/parse-values.ts'
import { Problem } from '../problem/problem.ts'
import type { ReadinessCheck } from './health.ts'
import { createOutageLog, type OutageLogger } from './outage-log.ts'
import type { Prometheus } from './prometheus.ts'

export interface CapacityMonitor {
  /** Fails before ClickHouse rejects inserts because of parts or disk space. */
  readonly check: ReadinessCheck
  /** Updates the metrics. Never rejects. */
  refresh(): Promise<void>
}

export interface CapacityMonitorOptions {
  readonly clickhouse: ClickHouse
  readonly logger: OutageLogger
  readonly metrics: Prometheus['store']
  /** Free bytes of a disk below which the check fails. */
  readonly diskFreeBytesMin: number
}

/** How long a reading counts as current. Probes and scrapes in the meantime share it. */
const currentMsMax = 5_000

/** How long to wait for a new reading before the last one is used. Less than the time limit of a readiness check. */
const readMsMax = 1_500

/** The share of a limit on parts at which the check fails. */
const partsShareMax = 0.9

export function createCapacityMonitor(options: CapacityMonitorOptions): CapacityMonitor {
  let last: Capacity = { tables: [], disks: [] }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const outages = createOutageLog(options.logger, {
    failure: 'Could not read the capacity of ClickHouse',
    recovery: 'The capacity of ClickHouse is known again',
  })
  const read = async () => {
    try {
      last = await readCapacity(options.clickhouse, AbortSignal.timeout(readMsMax))
      readAt = performance.now()
      outages.succeeded()
    } catch (error) {
      // The check of ClickHouse itself reports a server that does not answer. A user without access to system tables
      // has no reading. A problem without a cause is that of a server that starts.
      if (!(error instanceof Problem && error.cause === undefined)) outages.failed(error)
    }
  }
  const current = async () => {
    if (performance.now() - readAt < currentMsMax) return last
    reading ??= read().finally(() => {
      reading = undefined
    })
    await reading
    return last
  }
  return {
    check: { name: 'capacity', missing: async () => describeShortage(await current(), options.diskFreeBytesMin) },
    refresh: async () => report(options, await current()),
  }
}

/** Returns what is about to end ingest, as one sentence, or undefined. */
function describeShortage({ tables, disks }: Capacity, diskFreeBytesMin: number): string | undefined {
  const ofParts = tables.flatMap(({ table, parts, partsMax, partitionParts, partitionPartsMax }) => [
    ...shortageOf(`the table ${table}`, parts, partsMax),
    ...shortageOf(`a partition of the table ${table}`, partitionParts, partitionPartsMax),
  ])
  const ofDisks = disks
    .filter(({ freeBytes }) => freeBytes < diskFreeBytesMin)
    .map(
      ({ disk, freeBytes, totalBytes }) =>
        `the disk ${disk} of ClickHouse has ${inMebibytes(freeBytes)} of ${inMebibytes(totalBytes)} free, ` +
        `less than DISK_FREE_MIN (${inMebibytes(diskFreeBytesMin)})`,
    )
  const all = [...ofDisks, ...ofParts]
  return all.length === 0 ? undefined : all.join('; ')
}

function shortageOf(subject: string, parts: number, max: number): string[] {
  return parts >= max * partsShareMax ? [`${subject} has ${parts} parts; at ${max} ClickHouse rejects inserts`] : []
}

function report({ clickhouse, metrics }: CapacityMonitorOptions, { tables, disks }: Capacity): void {
  for (const { table, ...counts } of tables) {
    metrics.parts.set({ table }, counts.parts)
    metrics.partsMax.set({ table }, counts.partsMax)
    metrics.partitions.set({ table }, counts.partitions)
    metrics.partitionParts.set({ table }, counts.partitionParts)
    metrics.partitionPartsMax.set({ table }, counts.partitionPartsMax)
  }
  for (const { disk, freeBytes, totalBytes } of disks) {
    metrics.diskFreeBytes.set({ disk }, freeBytes)
    metrics.diskBytes.set({ disk }, totalBytes)
  }
  for (const [queue, { held, waiting }] of Object.entries(clickhouse.queues)) {
    metrics.turnsHeld.set({ queue }, held)
    metrics.turnsWaiting.set({ queue }, waiting)
  }
}

import type { CapacityMonitor } from '../observability/capacity-monitor.ts'
import { createReadiness, type Readiness } from '../observability/health.ts'
import type { Stores } from './stores.ts'

export interface ServerReadinessOptions {
  readonly stores: Pick<Stores, 'clickhouse' | 'metadata' | 'pending'>
  readonly capacity: CapacityMonitor
  readonly isDraining: () => boolean
}

/** Creates what `/readyz` and health checks over gRPC report. */
export function createServerReadiness({ stores, capacity, isDraining }: ServerReadinessOptions): Readiness {
  const { clickhouse, metadata, pending } = stores
  const answers = async (ping: Promise<boolean>) => ((await ping) ? undefined : 'it does not answer')
  return createReadiness([
    { name: 'server', missing: async () => (isDraining() ? 'it is shutting down' : undefined) },
    { name: 'clickhouse', missing: () => answers(clickhouse.ping()) },
    { name: 'migrations', missing: async () => pending.clickhouse ?? pending.metadata },
    { name: 'metadata', missing: () => answers(metadata.ping()) },
    capacity.check,
  ])
}

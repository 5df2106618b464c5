import type { ClickHouse } from './clickhouse/client.ts'
import type { Config } from './config/config.ts'
import type { Metadata } from './metadata/database.ts'
import type { Logger } from './observability/logging.ts'
import type { Prometheus } from './observability/prometheus.ts'
import type { FindIntegrationId, FindSlice, GrantedSlices } from './telemetry/scope.ts'

/**
 * The dependencies that all features of a server share. A feature folder exports `create<Feature>(deps, …)`, which
 * returns its `handlers` and, if it has any, the `transfers` of its records and its `background` work. `app.ts` lists
 * the features.
 */
export interface Deps {
  readonly config: Config
  /** Records the duration and size of every query. */
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  readonly granted: GrantedSlices
  readonly findSlice: FindSlice
  readonly findIntegrationId: FindIntegrationId
  readonly logger: Logger
  readonly prometheus: Prometheus
  readonly now: () => Date
  /** Returns ULIDs in ascending order. */
  readonly newId: () => string
}

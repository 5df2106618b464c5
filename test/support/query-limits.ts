import type { QueryLimits } from '../../server/clickhouse/query-limits.ts'
import { readConfig } from '../../server/config/read-config.ts'

/** The limits of queries without settings. */
export const queryLimits: QueryLimits = readConfig({}).limits

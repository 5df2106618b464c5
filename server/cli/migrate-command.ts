import { openStores } from '../lifecycle/stores.ts'
import { createLogger } from '../observability/logging.ts'
import { configOf } from './config-commands.ts'
import type { ServeFlags } from './serve-command.ts'

/** Migrates both stores, for deployments that do so before they start servers. Waits for stores that do not answer yet. */
export async function migrateStores(flags: ServeFlags): Promise<void> {
  const config = configOf(flags)
  const logger = createLogger({ level: config.logLevel })
  const stores = await openStores(config, logger)
  const stopping = new AbortController()
  process.once('SIGTERM', () => stopping.abort())
  process.once('SIGINT', () => stopping.abort())
  try {
    await stores.prepare(stopping.signal)
    logger.info('Both stores are migrated')
  } finally {
    stopping.abort()
    await stores.close()
  }
}

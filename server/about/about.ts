import { requireClickHouseVersion } from '../clickhouse/migrate/migrate.ts'
import type { Deps } from '../feature.ts'
import { readDocument } from '../http/contract/document.ts'
import type { Handlers } from '../http/contract/handlers.ts'

/** Creates the operation that says which versions run. Callers need a credential, because versions help attackers. */
export function createAbout({ clickhouse }: Pick<Deps, 'clickhouse'>): { readonly handlers: Handlers<'getServer'> } {
  const { version } = readDocument().info as Record<'version', string>
  return {
    handlers: {
      async getServer() {
        const clickhouse_version = await requireClickHouseVersion(clickhouse)
        return { status: 200, body: { version, clickhouse_version } }
      },
    },
  }
}

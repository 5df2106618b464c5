import type { Migration } from 'kysely'
import type { Store } from '../dialects.ts'
import { apiKeysMigration } from './0001-api-keys.ts'
import { integrationsMigration } from './0002-integrations.ts'
import { configImportsMigration } from './0003-config-imports.ts'
import { channelsMigration } from './0005-channels.ts'
import { savedViewsMigration } from './0007-saved-views.ts'
import { deliveriesMigration } from './0008-deliveries.ts'
import { facetsMigration } from './0009-facets.ts'
import { alertRulesMigration } from './0010-alert-rules.ts'

/** Every step of the schema by name, in the order of names. A step that has been released never changes; there is no way back. */
export function migrations(store: Store): Record<string, Migration> {
  return {
    '0001-api-keys': apiKeysMigration(store),
    '0002-integrations': integrationsMigration(store),
    '0003-config-imports': configImportsMigration(store),
    '0005-channels': channelsMigration(store),
    '0007-saved-views': savedViewsMigration(store),
    '0008-deliveries': deliveriesMigration(store),
    '0009-facets': facetsMigration(store),
    '0010-alert-rules': alertRulesMigration(store),
  }
}

import type { components } from '../../openapi/types.ts'
import { mapPaced } from '../background/pace.ts'
import { type AlertRulesOf, refuseIfUsedByAlertRules } from '../metadata/used-by-alert-rules.ts'
import { checkName, checkText } from '../problem/record-input.ts'
import { importByName, type RecordTransfer, readNamedRecords } from '../transfer/record-transfer.ts'
import { type IntegrationContent, type StoredIntegration, toIntegrationRecord } from './integration-record.ts'
import type { IntegrationStore } from './integration-store.ts'
import { haveSameContent, toStoredMatchers } from './matcher-list.ts'

type TransferredIntegration = components['schemas']['ConfigIntegration']

/** Exports and imports integrations, matched by name. An import may join conditions with `or` under `all`. */
export function integrationTransfer(
  store: IntegrationStore,
  newId: () => string,
  alertRulesOf: AlertRulesOf,
): RecordTransfer {
  return {
    name: 'integrations',
    async read(transaction, { org }) {
      return mapPaced(await store.all(transaction, org), exportIntegration)
    },
    async prepare(records, pointer) {
      const read = (record: TransferredIntegration, at: string) => readContent(record, at, newId)
      const contents = await readNamedRecords(records as readonly TransferredIntegration[], pointer, read)
      return (transaction, author, mode, atEnd) => {
        const { org } = author.caller
        const integrations = store.within(transaction, author)
        return importByName(contents, mode, {
          ...integrations,
          isUnchanged,
          remove(stored) {
            const deleted = { org, id: stored.id, noun: store.noun, name: stored.name }
            atEnd(() => refuseIfUsedByAlertRules(alertRulesOf, transaction, deleted))
            return integrations.remove(stored)
          },
        })
      }
    },
  }
}

function exportIntegration(stored: StoredIntegration): TransferredIntegration {
  const { name, description, rule_match, matchers } = toIntegrationRecord(stored)
  return { name, description, rule_match, matchers: matchers.map(({ id: _, ...matcher }) => matcher) }
}

function readContent(record: TransferredIntegration, pointer: string, newId: () => string): IntegrationContent {
  const { description = '', rule_match = 'any', matchers: inputs = [] } = record
  const name = checkName(record.name, `${pointer}/name`)
  checkText(description, `${pointer}/description`)
  const matchers = toStoredMatchers(inputs, { pointer: `${pointer}/matchers`, current: [], newId })
  return { name, description, rule_match, matchers }
}

function isUnchanged(stored: StoredIntegration, content: IntegrationContent): boolean {
  const { description, rule_match, matchers } = content
  return (
    stored.description === description && stored.rule_match === rule_match && haveSameContent(stored.matchers, matchers)
  )
}

import type { components } from '../../openapi/types.ts'
import { checkName, checkText } from '../problem/record-text.ts'
import { importByName, readNamedRecords } from '../transfer/named-records.ts'
import type { RecordTransfer } from '../transfer/record-transfer.ts'
import { type IntegrationContent, type StoredIntegration, toIntegrationRecord } from './integration-record.ts'
import { allIntegrations, insertIntegration, removeIntegration, replaceIntegration } from './integration-store.ts'
import { sayTheSame, toStoredMatchers } from './matcher-list.ts'

type ConfigIntegration = components['schemas']['ConfigIntegration']

export interface IntegrationSectionOptions {
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

/** Integrations in exports and imports, matched by name. What joins conditions with `or` under `all` is taken as it is. */
export function integrationTransfer({ now, newId }: IntegrationSectionOptions): RecordTransfer {
  return {
    name: 'integrations',
    async read(transaction, org) {
      return (await allIntegrations(transaction, org)).map(toConfig)
    },
    prepare(records, pointer) {
      const read = (record: ConfigIntegration, at: string) => readContent(record, at, newId)
      const contents = readNamedRecords(records as readonly ConfigIntegration[], pointer, read)
      return (transaction, org, mode) => {
        const moment = now().toISOString()
        return importByName(contents, mode, {
          all: () => allIntegrations(transaction, org),
          isUnchanged,
          insert: (content) => insertIntegration(transaction, org, content, { id: newId(), moment }),
          replace: async (stored, content) =>
            (await replaceIntegration(transaction, org, stored, content, moment)) !== undefined,
          remove: (stored) => removeIntegration(transaction, org, stored),
        })
      }
    },
  }
}

function toConfig(stored: StoredIntegration): ConfigIntegration {
  const { name, description, rule_match, matchers } = toIntegrationRecord(stored)
  return { name, description, rule_match, matchers: matchers.map(({ id: _, ...matcher }) => matcher) }
}

function readContent(record: ConfigIntegration, pointer: string, newId: () => string): IntegrationContent {
  const { description = '', rule_match = 'any', matchers: inputs = [] } = record
  const name = checkName(record.name, `${pointer}/name`)
  checkText(description, `${pointer}/description`)
  const matchers = toStoredMatchers(inputs, { pointer: `${pointer}/matchers`, current: [], newId })
  return { name, description, rule_match, matchers }
}

function isUnchanged(stored: StoredIntegration, content: IntegrationContent): boolean {
  const { description, rule_match, matchers } = content
  return stored.description === description && stored.rule_match === rule_match && sayTheSame(stored.matchers, matchers)
}

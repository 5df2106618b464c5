import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { components } from '../../../openapi/types.ts'
import type { Schema } from '../../metadata/schema.ts'
import { type FieldFault, refusedFields, unknownAt } from '../../problem/problem.ts'
import { importByName, type RecordTransfer, readNamedRecords } from '../../transfer/record-transfer.ts'
import type { EndAlert } from '../alerts/alert-store.ts'
import type { AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import { checkAlertRule, newAlertRuleContent, refuseAlertRule } from './alert-rule-content.ts'
import { allAlertRules } from './alert-rule-queries.ts'
import { type AlertRuleContent, alertRuleContent, type StoredAlertRule } from './alert-rule-record.ts'
import { insertAlertRule, removeAlertRule, replaceAlertRule } from './alert-rule-store.ts'

type ConfigRule = components['schemas']['ConfigAlertRule']

export interface RuleSectionOptions {
  readonly readers: AlertRuleReaders
  readonly endAlert: EndAlert
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

/** A rule as an import carries it, before the names in it have been looked up. */
interface SentRule {
  readonly name: string
  readonly content: AlertRuleContent
  readonly integration: string | undefined
  readonly channels: readonly string[]
  readonly pointer: string
}

/**
 * Alert rules in exports and imports, matched by name. They name their integration and channels by name, since ids are an
 * organization's own. States and alerts stay where they are.
 */
export function alertRuleTransfer({ readers, endAlert, now, newId }: RuleSectionOptions): RecordTransfer {
  return {
    name: 'alert_rules',
    read: readConfig,
    prepare(records, pointer) {
      const read = (record: ConfigRule, at: string) => readRule(readers, record, at)
      const sent = readNamedRecords(records as readonly ConfigRule[], pointer, read)
      return async (transaction, org, mode) => {
        const moment = now()
        const contents = await withReferences(transaction, org, sent)
        for (const [index, content] of contents.entries()) refuseAlertRule(readers, content, sent[index]?.pointer ?? '')
        return importByName<AlertRuleContent, StoredAlertRule>(contents, mode, {
          all: () => allAlertRules(transaction, org),
          isUnchanged: (stored, content) => isDeepStrictEqual(alertRuleContent(stored), content),
          insert: (content) => insertAlertRule(transaction, org, content, { id: newId(), now: moment }),
          replace: async (stored, content) =>
            (await replaceAlertRule(transaction, stored, content, { endAlert, now: moment })) !== undefined,
          remove: (stored) => removeAlertRule(transaction, stored, { endAlert, now: moment }),
        })
      }
    },
  }
}

async function readConfig(transaction: Transaction<Schema>, org: string): Promise<ConfigRule[]> {
  const rules = await allAlertRules(transaction, org)
  const integrations = await recordsOf(transaction, 'integrations', org)
  const channels = await recordsOf(transaction, 'channels', org)
  const nameIn = (records: readonly NamedRecord[]) => new Map(records.map(({ id, name }) => [id, name]))
  const [integrationNames, channelNames] = [nameIn(integrations), nameIn(channels)]
  return rules.map((rule) => {
    const { integration_id: id, channel_ids, ...content } = alertRuleContent(rule)
    const integration = integrationNames.get(id ?? '')
    return {
      ...{ ...content, ...(integration === undefined ? {} : { integration }) },
      channels: channel_ids.flatMap((channel) => channelNames.get(channel) ?? []),
    }
  })
}

function readRule(
  readers: AlertRuleReaders,
  { integration, channels = [], ...sent }: ConfigRule,
  pointer: string,
): SentRule {
  return {
    content: checkAlertRule(readers, newAlertRuleContent(sent), pointer),
    ...{ name: sent.name, integration, channels, pointer },
  }
}

/** Integrations and channels are imported before rules, so those of the same import are there. */
async function withReferences(
  transaction: Transaction<Schema>,
  org: string,
  rules: readonly SentRule[],
): Promise<readonly AlertRuleContent[]> {
  const faults: FieldFault[] = []
  const idIn = (records: readonly NamedRecord[]) => new Map(records.map(({ id, name }) => [name, id]))
  const integrations = idIn(await recordsOf(transaction, 'integrations', org))
  const channels = idIn(await recordsOf(transaction, 'channels', org))
  const contents = rules.map(({ content, integration, channels: named, pointer }) => {
    const integration_id = integration === undefined ? undefined : integrations.get(integration)
    if (integration !== undefined && integration_id === undefined)
      faults.push(unknownAt(`${pointer}/integration`, 'integration', integration))
    const channel_ids = named.flatMap((name, index) => {
      const id = channels.get(name)
      if (id === undefined) faults.push(unknownAt(`${pointer}/channels/${index}`, 'channel', name))
      return id ?? []
    })
    return { ...content, channel_ids, ...(integration_id === undefined ? {} : { integration_id }) }
  })
  if (faults.length > 0) throw refusedFields(faults)
  return contents
}

interface NamedRecord {
  readonly id: string
  readonly name: string
}

function recordsOf(
  transaction: Transaction<Schema>,
  table: 'integrations' | 'channels',
  org: string,
): Promise<NamedRecord[]> {
  return transaction.selectFrom(table).select(['id', 'name']).where('org', '=', org).execute()
}

import type { Transaction } from 'kysely'
import type { components } from '../../../openapi/types.ts'
import type { Schema } from '../../metadata/schema.ts'
import { type FieldFault, refusedFields, unknownAt } from '../../problem/problem.ts'
import { importByName, type RecordTransfer, readNamedRecords } from '../../transfer/record-transfer.ts'
import { checkAlertRule, newAlertRuleContent, refuseUnsupported } from './alert-rule-content.ts'
import { type AlertRuleContent, isSameContent } from './alert-rule-record.ts'
import { readReferenced } from './alert-rule-references.ts'
import type { AlertRuleStore } from './alert-rule-store.ts'

type ConfigAlertRule = components['schemas']['ConfigAlertRule']

/** An imported rule before the names of its integration and channels have been resolved. */
interface SentAlertRule {
  readonly name: string
  readonly content: AlertRuleContent
  readonly integration: string | undefined
  readonly channels: readonly string[]
  readonly pointer: string
}

/**
 * Exports and imports alert rules, matched by name. They refer to integrations and channels by name, because ids differ
 * between organizations. States and alerts are not transferred.
 */
export function alertRuleTransfer(store: AlertRuleStore): RecordTransfer {
  return {
    name: 'alert_rules',
    read: (transaction, { org }) => readConfig(store, transaction, org),
    async prepare(records, pointer) {
      const sent = await readNamedRecords(records as readonly ConfigAlertRule[], pointer, readAlertRule)
      return async (transaction, author, mode) => {
        const contents = await withReferences(transaction, author.caller.org, sent)
        for (const [index, content] of contents.entries()) refuseUnsupported(content, sent[index]?.pointer ?? '')
        const stored = store.within(transaction, author)
        return importByName(contents, mode, {
          all: async () => (await stored.all()).map((rule) => ({ name: rule.content.name, rule })),
          isUnchanged: ({ rule }, content) => isSameContent(rule.content, content),
          insert: (content) => stored.insert(content),
          replace: ({ rule }, content) => stored.replace(rule, content),
          remove: ({ rule }) => stored.remove(rule),
        })
      }
    },
  }
}

async function readConfig(
  store: AlertRuleStore,
  transaction: Transaction<Schema>,
  org: string,
): Promise<ConfigAlertRule[]> {
  const rules = await store.all(transaction, org)
  const integrationNames = await namesById(transaction, 'integrations', org)
  const channelNames = await namesById(transaction, 'channels', org)
  return rules.map(({ content: { integration_id: id = '', channel_ids, ...content } }) => {
    const integration = integrationNames.get(id)
    return {
      ...content,
      ...(integration === undefined ? {} : { integration }),
      channels: channel_ids.flatMap((channel) => channelNames.get(channel) ?? []),
    }
  })
}

function readAlertRule({ integration, channels = [], ...sent }: ConfigAlertRule, pointer: string): SentAlertRule {
  const content = checkAlertRule(newAlertRuleContent(sent), pointer)
  return { name: sent.name, content, integration, channels, pointer }
}

/**
 * Replaces names by ids. Integrations and channels are imported before alert rules, so a rule may refer to records of
 * the same import.
 * @throws Problem 422 with every name that does not exist
 */
async function withReferences(
  transaction: Transaction<Schema>,
  org: string,
  rules: readonly SentAlertRule[],
): Promise<readonly AlertRuleContent[]> {
  const faults: FieldFault[] = []
  const integrations = await idsByName(transaction, 'integrations', org)
  const channels = await idsByName(transaction, 'channels', org)
  const contents = rules.map(({ content, integration, channels: names, pointer }) => {
    const integration_id = integration === undefined ? undefined : integrations.get(integration)
    if (integration !== undefined && integration_id === undefined)
      faults.push(unknownAt(`${pointer}/integration`, 'integration', integration))
    const channel_ids = names.flatMap((name, index) => {
      const id = channels.get(name)
      if (id === undefined) faults.push(unknownAt(`${pointer}/channels/${index}`, 'channel', name))
      return id ?? []
    })
    return { ...content, channel_ids, ...(integration_id === undefined ? {} : { integration_id }) }
  })
  if (faults.length > 0) throw refusedFields(faults)
  return contents
}

async function namesById(...referenced: Parameters<typeof readReferenced>): Promise<ReadonlyMap<string, string>> {
  return new Map((await readReferenced(...referenced)).map(({ id, name }) => [id, name]))
}

async function idsByName(...referenced: Parameters<typeof readReferenced>): Promise<ReadonlyMap<string, string>> {
  return new Map((await readReferenced(...referenced)).map(({ id, name }) => [name, id]))
}

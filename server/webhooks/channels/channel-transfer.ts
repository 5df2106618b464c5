import type { Transaction } from 'kysely'
import type { components } from '../../../openapi/types.ts'
import type { Schema } from '../../metadata/schema.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import {
  type ImportCounts,
  type ImportMode,
  importByName,
  type RecordTransfer,
  readNamedRecords,
} from '../../transfer/record-transfer.ts'
import type { ChannelContent, StoredChannel } from './channel.ts'
import { changeChannel, checkChange, checkTemplate, emptyChannel, sealFor } from './channel-content.ts'
import { newSigningSecret } from './channel-fields.ts'
import { allChannels, insertChannel, removeChannel, replaceChannel } from './channel-store.ts'
import type { AddressPolicy } from './receiver-address.ts'
import { refuseInternalAddress } from './receiver-url.ts'

type ConfigChannel = components['schemas']['ConfigChannel']

export interface ChannelSectionOptions {
  readonly box: SecretBox
  /** Where notifications may be posted to. */
  readonly allows: AddressPolicy
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

/** A channel as an import carries it, without credentials. */
type SentChannel = Pick<ChannelContent, 'name'> & { readonly content: ChannelContent; readonly pointer: string }

/**
 * Channels in exports and imports, matched by name. Credentials never leave: a channel that is there keeps its own, a new one
 * gets a signing secret that has to be replaced by one that its receiver knows.
 */
export function channelTransfer(options: ChannelSectionOptions): RecordTransfer {
  return {
    name: 'channels',
    async read(transaction, org) {
      return (await allChannels(transaction, org)).map(toConfig)
    },
    prepare(records, pointer) {
      const sent = readNamedRecords(records as readonly ConfigChannel[], pointer, readChannel)
      return (transaction, org, mode) => {
        for (const each of sent) refuse(each, options.allows)
        return importChannels(options, sent, { transaction, org, mode })
      }
    },
  }
}

function toConfig({ kind, name, url, format, bodyTemplate, disabledReason }: StoredChannel): ConfigChannel {
  const config = { url, format, ...(bodyTemplate !== null && { body_template: bodyTemplate }) }
  return { kind, name, enabled: disabledReason === null, config }
}

function readChannel({ kind = 'webhook', name, enabled = true, config }: ConfigChannel, pointer: string): SentChannel {
  checkChange({ name, config }, pointer)
  const { url, format = 'json', body_template: bodyTemplate = null } = config
  const disabledReason = enabled ? null : 'by_user'
  return { name, pointer, content: { ...emptyChannel, kind, name, url, format, bodyTemplate, disabledReason } }
}

/** @throws Problem 422 for what a save refuses */
function refuse({ content, pointer }: SentChannel, allows: AddressPolicy): void {
  checkTemplate(content, pointer)
  refuseInternalAddress(content.url, allows, `${pointer}/config/url`)
}

interface ImportTarget {
  readonly transaction: Transaction<Schema>
  readonly org: string
  readonly mode: ImportMode
}

async function importChannels(
  { box, now, newId }: ChannelSectionOptions,
  sent: readonly SentChannel[],
  { transaction, org, mode }: ImportTarget,
): Promise<ImportCounts> {
  const moment = now().toISOString()
  const notes: string[] = []
  const result = await importByName<SentChannel, StoredChannel>(sent, mode, {
    all: () => allChannels(transaction, org),
    isUnchanged,
    insert({ name, content }) {
      const id = newId()
      const change = { config: { signing_secret: newSigningSecret() } }
      notes.push(
        `The channel ${JSON.stringify(name)} has no auth_header and a signing_secret that nobody knows: set both.`,
      )
      return insertChannel(transaction, org, changeChannel(content, change, sealFor(box, org, id)), { id, moment })
    },
    replace: async (stored, { content }) =>
      (await replaceChannel(transaction, org, stored, keepOwn(stored, content), moment)) !== undefined,
    remove: (stored) => removeChannel(transaction, org, stored),
  })
  return notes.length === 0 ? result : { ...result, notes }
}

/** The imported content with what an import does not carry. */
function keepOwn(
  { authHeader, signingSecret, disabledReason }: StoredChannel,
  content: ChannelContent,
): ChannelContent {
  const reason = content.disabledReason && (disabledReason ?? content.disabledReason)
  return { ...content, authHeader, signingSecret, disabledReason: reason }
}

function isUnchanged(stored: StoredChannel, { content }: SentChannel): boolean {
  const { url, format, bodyTemplate, disabledReason } = keepOwn(stored, content)
  const isSame = stored.url === url && stored.format === format && stored.bodyTemplate === bodyTemplate
  return isSame && stored.disabledReason === disabledReason
}

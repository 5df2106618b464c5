import type { Transaction } from 'kysely'
import type { components } from '../../../openapi/types.ts'
import type { Caller } from '../../auth/caller.ts'
import { mapPaced } from '../../background/pace.ts'
import type { Deps } from '../../feature.ts'
import type { Author } from '../../metadata/audit-log.ts'
import type { Schema } from '../../metadata/schema.ts'
import { type AlertRulesOf, refuseIfUsedByAlertRules } from '../../metadata/used-by-alert-rules.ts'
import { invalid } from '../../problem/problem.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import {
  type AtEnd,
  type ImportCounts,
  type ImportMode,
  importByName,
  type RecordTransfer,
  readNamedRecords,
} from '../../transfer/record-transfer.ts'
import { type ChannelContent, readableBy, type StoredChannel } from './channel.ts'
import { changeChannel, checkChange, checkFormat, emptyChannel, hasOtherOrigin } from './channel-content.ts'
import type { ChannelStore } from './channel-store.ts'
import { newSigningSecret, sealFor } from './credentials.ts'
import { type AddressPolicy, refuseInternalAddress } from './receiver-address.ts'

type ConfigChannel = components['schemas']['ConfigChannel']

interface ChannelTransferDeps extends Pick<Deps, 'newId'> {
  readonly store: ChannelStore
  readonly box: SecretBox
  readonly allows: AddressPolicy
  readonly alertRulesOf: AlertRulesOf
}

/** An imported channel. It has no credentials. */
type ImportedChannel = Pick<ChannelContent, 'name'> & { readonly content: ChannelContent; readonly pointer: string }

/**
 * Exports and imports channels, matched by name. Exports contain no credentials. An import keeps the credentials of
 * existing channels, except the `auth_header` of a channel whose URL gets another origin. It generates a signing secret
 * for each new channel, which must then be replaced by one that the receiver knows.
 */
export function channelTransfer(deps: ChannelTransferDeps): RecordTransfer {
  const { store, allows } = deps
  return {
    name: 'channels',
    async read(transaction, caller) {
      const stored = await store.all(transaction, caller.org)
      return stored.map((channel) => toConfig(channel, caller))
    },
    async prepare(records, pointer) {
      const imported = await readNamedRecords(records as readonly ConfigChannel[], pointer, readChannel)
      const refusal = await refusalOf(imported, allows)
      return async (transaction, author, mode, atEnd) => {
        if (refusal !== undefined) throw refusal
        return importChannels(deps, imported, { transaction, author, mode, atEnd })
      }
    },
  }
}

function toConfig(channel: StoredChannel, caller: Caller): ConfigChannel {
  const { kind, name, format, disabledReason } = channel
  const { url, bodyTemplate } = readableBy(caller, channel)
  const isMasked = url !== channel.url || bodyTemplate !== channel.bodyTemplate
  const config = { url, format, ...(bodyTemplate !== null && { body_template: bodyTemplate }) }
  return { kind, name, enabled: disabledReason === null, config, ...(isMasked && { masked: true }) }
}

/** @throws Problem 400 also if the channel is masked: saving it would lose the URL and the template that are stored */
function readChannel(channel: ConfigChannel, pointer: string): ImportedChannel {
  const { kind = emptyChannel.kind, name, enabled = true, config, masked = false } = channel
  if (masked) {
    throw invalid(`${pointer}/masked`, 'masked', 'must not be true: export as a contributor, or leave the channel out')
  }
  checkChange({ name, config }, pointer)
  const { url, format = emptyChannel.format, body_template: bodyTemplate = null } = config
  const disabledReason = enabled ? null : 'by_user'
  return { name, pointer, content: { ...emptyChannel, kind, name, url, format, bodyTemplate, disabledReason } }
}

/**
 * Returns the first problem for which the API would refuse to save one of the channels. It is thrown after malformed
 * records of all kinds, but found before the transaction, because compiling many templates takes seconds.
 */
async function refusalOf(imported: readonly ImportedChannel[], allows: AddressPolicy): Promise<unknown> {
  try {
    await mapPaced(imported, (each) => refuse(each, allows))
    return undefined
  } catch (error) {
    return error
  }
}

/** Refuses a channel that the API would refuse to save. @throws Problem 422 */
function refuse({ content, pointer }: ImportedChannel, allows: AddressPolicy): void {
  checkFormat(content, pointer)
  refuseInternalAddress(content.url, allows, `${pointer}/config/url`)
}

interface ImportTarget {
  readonly transaction: Transaction<Schema>
  readonly author: Author
  readonly mode: ImportMode
  readonly atEnd: AtEnd
}

async function importChannels(
  { store, box, newId, alertRulesOf }: ChannelTransferDeps,
  imported: readonly ImportedChannel[],
  { transaction, author, mode, atEnd }: ImportTarget,
): Promise<ImportCounts> {
  const { org } = author.caller
  const channels = store.within(transaction, author)
  const notes: string[] = []
  const counts = await importByName<ImportedChannel, StoredChannel>(imported, mode, {
    all: channels.all,
    isUnchanged,
    insert({ name, content }) {
      const id = newId()
      const quoted = JSON.stringify(name)
      notes.push(`The channel ${quoted} has no auth_header and a newly generated signing_secret. Set both.`)
      const change = { config: { signing_secret: newSigningSecret() } }
      return channels.insert(changeChannel(content, change, sealFor(box, org, id)), id)
    },
    replace(stored, { name, content }) {
      const kept = keepCredentials(stored, content)
      if (stored.authHeader !== null && kept.authHeader === null) {
        notes.push(`The channel ${JSON.stringify(name)} has a URL with another origin. Set its auth_header again.`)
      }
      return channels.replace(stored, kept)
    },
    remove(stored) {
      const deleted = { org, id: stored.id, noun: store.noun, name: stored.name }
      atEnd(() => refuseIfUsedByAlertRules(alertRulesOf, transaction, deleted))
      return channels.remove(stored)
    },
  })
  return notes.length === 0 ? counts : { ...counts, notes }
}

/**
 * Returns the imported content with the credentials of the stored channel and its reason for being disabled, neither of
 * which an import contains. Another origin never receives the stored `auth_header`.
 */
function keepCredentials(stored: StoredChannel, content: ChannelContent): ChannelContent {
  const { signingSecret } = stored
  const authHeader = hasOtherOrigin(stored, content) ? null : stored.authHeader
  const disabledReason = content.disabledReason && (stored.disabledReason ?? content.disabledReason)
  return { ...content, authHeader, signingSecret, disabledReason }
}

function isUnchanged(stored: StoredChannel, { content }: ImportedChannel): boolean {
  const { url, format, bodyTemplate, disabledReason } = keepCredentials(stored, content)
  const isSame = stored.url === url && stored.format === format && stored.bodyTemplate === bodyTemplate
  return isSame && stored.disabledReason === disabledReason
}

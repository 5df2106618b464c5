import type { Metadata } from '../../metadata/database.ts'
import type { Logger } from '../../observability/logging.ts'
import { openSecretBox, type SecretKeysOptions } from '../../secrets/secret-box.ts'
import { createBodyRenderer } from '../formats/formats.ts'
import { templateHandlers } from '../formats/template-handlers.ts'
import { channelHandlers } from './channel-handlers.ts'
import { createChannelStore } from './channel-store.ts'
import { channelTransfer } from './channel-transfer.ts'
import { credentialUpkeep } from './credential-upkeep.ts'
import { openReceiver } from './receiver.ts'
import type { AddressPolicy } from './receiver-address.ts'

export interface ChannelParts {
  readonly config: SecretKeysOptions
  readonly metadata: Metadata
  readonly logger: Logger
  readonly now: () => Date
  /** Where notifications may be posted to. */
  readonly allows: AddressPolicy
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  /** The names of the alert rules that tell of alerts by a channel. */
  readonly rulesNaming: (org: string, channelId: string) => Promise<readonly string[]>
}

/** Channels and their templates: what answers for them, and how a delivery finds its receiver. */
export async function createChannels({ config, metadata, logger, now, newId, allows, rulesNaming }: ChannelParts) {
  const box = await openSecretBox(config)
  const store = createChannelStore({ metadata, now })
  return {
    store,
    background: [credentialUpkeep({ metadata, box, logger, keyIsSet: config.secretsKey !== undefined })],
    transfers: [channelTransfer({ box, allows, now, newId })],
    handlers: { ...templateHandlers(), ...channelHandlers({ store, box, allows, newId, rulesNaming }) },
    renderBody: createBodyRenderer(),
    /** Undefined when there is no such channel any more. */
    async findReceiver(org: string, id: string) {
      const channel = await store.find(org, id)
      return channel && { channel, receiver: openReceiver(box, org, channel) }
    },
  }
}

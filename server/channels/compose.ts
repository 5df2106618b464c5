import type { Metadata } from '../metadata/database.ts'
import { openSecretBox, type SecretKeysOptions } from '../secrets/secret-keys.ts'
import { createBodyRenderer } from './body.ts'
import { createChannelStore } from './channel-store.ts'
import { openReceiver } from './receiver.ts'
import { templateHandlers } from './template-handlers.ts'

export interface ChannelParts {
  readonly config: SecretKeysOptions
  readonly metadata: Metadata
  readonly now: () => Date
}

/** Channels and their templates: what answers for them, and how a delivery finds its receiver. */
export async function composeChannels({ config, metadata, now }: ChannelParts) {
  const box = await openSecretBox(config)
  const store = createChannelStore({ metadata, now })
  return {
    store,
    handlers: { ...templateHandlers() },
    renderBody: createBodyRenderer(),
    /** Undefined when there is no such channel any more. */
    async findReceiver(org: string, id: string) {
      const channel = await store.find(org, id)
      return channel && { channel, receiver: openReceiver(box, org, channel) }
    },
  }
}

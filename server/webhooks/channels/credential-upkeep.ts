import type { Background } from '../../background/background.ts'
import { type ResealOptions, resealChannels } from './credentials.ts'

export interface UpkeepOptions extends ResealOptions {
  /** Whether the key is one of the setting, and not of this server's data directory. */
  readonly keyIsSet: boolean
}

/** What is done once at every start: credentials move to the current key, and a key that other servers cannot have is told. */
export function credentialUpkeep({ keyIsSet, ...options }: UpkeepOptions): Background {
  const { metadata, logger } = options
  let running: Promise<void> = Promise.resolve()
  return {
    start() {
      if (metadata.kind === 'postgres' && !keyIsSet) {
        logger.warn(
          'SECRETS_KEY is not set: no other server over this METADATA_URL can open the credentials of channels',
        )
      }
      running = resealChannels(options).catch((err) => {
        logger.error({ err }, 'Credentials of channels could not be sealed with the current key')
      })
    },
    stop: () => running,
  }
}

import { randomBytes } from 'node:crypto'
import { type Background, repeatedly } from '../../background/background.ts'
import type { Deps } from '../../feature.ts'
import type { Metadata } from '../../metadata/database.ts'
import { createOutageLog } from '../../observability/outage-log.ts'
import { type SecretBox, SecretUnreadable } from '../../secrets/secret-box.ts'
import type { CredentialField, SealedCredential, StoredChannel } from './channel.ts'

/** Encrypts a credential of one channel. */
export type Seal = (field: CredentialField, credential: string) => SealedCredential

/** Minimum length of a credential whose last four characters are shown. They would reveal too much of a shorter one. */
const maskedCharsMin = 8

const signingSecretBytes = 32

/** Returns the function that encrypts credentials of a channel. They can be decrypted for this channel only. */
export function sealFor(box: SecretBox, org: string, id: string): Seal {
  return (field, credential) => ({
    sealed: box.seal(credential, { org, id, field }),
    last4: credential.length < maskedCharsMin ? '' : credential.slice(-4),
  })
}

/** Creates a signing secret in the form of Standard Webhooks. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(signingSecretBytes).toString('base64')}`
}

/** A channel with its decrypted credentials. It is never logged or stored. */
export interface Receiver {
  readonly channel: StoredChannel
  /** Sent as `Authorization`, byte for byte. */
  readonly authHeader: string | undefined
  /** `whsec_` followed by base64. Requests are not signed if it is undefined. */
  readonly signingSecret: string | undefined
}

/**
 * Returns a channel with its credentials decrypted.
 * @throws SecretUnreadable if the server does not have the key that sealed a credential
 */
export function openReceiver(box: SecretBox, org: string, channel: StoredChannel): Receiver {
  const open = (field: CredentialField, credential: SealedCredential | null) =>
    credential === null ? undefined : box.open(credential.sealed, { org, id: channel.id, field })
  return {
    channel,
    authHeader: open('auth_header', channel.authHeader),
    signingSecret: open('signing_secret', channel.signingSecret),
  }
}

interface ResealDeps extends Pick<Deps, 'metadata' | 'logger'> {
  readonly box: SecretBox
}

/** The milliseconds after which sealing is tried again. */
const retryPauseMs = 5_000

/**
 * Maintains credentials when the server starts: warns about a key that other servers cannot have, and seals the
 * credentials with the current key, which is repeated until it succeeds once. `keyIsSet` is false if the key is a file
 * in the data directory.
 */
export function credentialUpkeep(deps: ResealDeps, keyIsSet: boolean, pauseMs = retryPauseMs): Background {
  const { metadata, logger } = deps
  const outages = createOutageLog(logger, {
    failure: 'Could not seal channel credentials with the current key, which is tried again',
    recovery: 'Channel credentials are sealed with the current key',
  })
  const sealing = repeatedly({
    pauseMs,
    async work() {
      await resealCredentials(deps)
      outages.succeeded()
      void sealing.stop(0)
    },
    onError: outages.failed,
  })
  return {
    start() {
      if (metadata.kind === 'postgres' && !keyIsSet) {
        logger.warn('SECRETS_KEY is not set: other servers that share METADATA_URL cannot read channel credentials')
      }
      sealing.start()
    },
    stop: sealing.stop,
  }
}

const fields = ['auth_header', 'signing_secret'] as const satisfies readonly CredentialField[]

/**
 * Seals every credential with the current key, so that earlier keys can be removed. The content of a channel does not
 * change, so its version stays. A credential that cannot be opened is logged and left unchanged.
 */
async function resealCredentials(deps: ResealDeps): Promise<void> {
  const { metadata, box, logger } = deps
  const rows = await metadata.db
    .selectFrom('channels')
    .select(['org', 'id', ...fields])
    .execute()
  let resealed = 0
  for (const { org, id, ...credentials } of rows) {
    for (const field of fields) {
      const sealed = credentials[field]
      if (sealed !== null && !box.isCurrent(sealed) && (await reseal(deps, { org, id, field }, sealed))) resealed += 1
    }
  }
  if (resealed > 0) logger.info({ credentials: resealed }, 'Sealed channel credentials with the current key')
}

interface CredentialKey {
  readonly org: string
  readonly id: string
  readonly field: CredentialField
}

/**
 * Seals a credential with the current key, unless it was replaced in the meantime. Returns false if it cannot be
 * opened.
 */
async function reseal({ metadata, box, logger }: ResealDeps, key: CredentialKey, sealed: string): Promise<boolean> {
  const { org, id, field } = key
  try {
    await metadata.db
      .updateTable('channels')
      .set({ [field]: box.seal(box.open(sealed, key), key) })
      .where('org', '=', org)
      .where('id', '=', id)
      .where(field, '=', sealed)
      .execute()
    return true
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    logger.error({ err: error, channel: id, field }, 'Could not open a channel credential')
    return false
  }
}

/** Counts the stored credentials that the box cannot open, such as those of a restored backup without its key. */
export async function countUnreadableCredentials({ db }: Metadata, box: SecretBox): Promise<number> {
  const rows = await db
    .selectFrom('channels')
    .select(['org', 'id', ...fields])
    .execute()
  return rows.flatMap(({ org, id, ...credentials }) =>
    fields.filter((field) => credentials[field] !== null && !opens(box, credentials[field], { org, id, field })),
  ).length
}

function opens(box: SecretBox, sealed: string, owner: CredentialKey): boolean {
  try {
    box.open(sealed, owner)
    return true
  } catch (error) {
    if (error instanceof SecretUnreadable) return false
    throw error
  }
}

import type { Metadata } from '../../metadata/database.ts'
import type { Logger } from '../../observability/logging.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { SecretUnreadable } from '../../secrets/secret-box.ts'
import type { CredentialField } from './receiver.ts'

export interface ResealOptions {
  readonly metadata: Metadata
  readonly box: SecretBox
  readonly logger: Logger
}

const fields = ['auth_header', 'signing_secret'] as const satisfies readonly CredentialField[]

/**
 * Seals with the current key what an earlier one sealed, so that the earlier one can be let go. What a channel says does not
 * change, so its version does not either. What no key opens is told in the log and left as it is.
 */
export async function resealChannels(options: ResealOptions): Promise<void> {
  const { metadata, box, logger } = options
  const rows = await metadata.db
    .selectFrom('channels')
    .select(['org', 'id', ...fields])
    .execute()
  let resealed = 0
  for (const { org, id, ...sealed } of rows) {
    for (const field of fields) {
      const text = sealed[field]
      if (text !== null && !box.isCurrent(text) && (await reseal(options, { org, id, field }, text))) resealed += 1
    }
  }
  if (resealed > 0) logger.info({ credentials: resealed }, 'Credentials of channels were sealed with the current key')
}

interface Place {
  readonly org: string
  readonly id: string
  readonly field: CredentialField
}

/** Whether it could be opened. A credential that was replaced meanwhile stays as it is then. */
async function reseal({ metadata, box, logger }: ResealOptions, place: Place, sealed: string): Promise<boolean> {
  try {
    const { org, id, field } = place
    await metadata.db
      .updateTable('channels')
      .set({ [field]: box.seal(box.open(sealed, place), place) })
      .where('org', '=', org)
      .where('id', '=', id)
      .where(field, '=', sealed)
      .execute()
    return true
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    logger.error({ err: error, channel: place.id, field: place.field }, 'A credential of a channel cannot be opened')
    return false
  }
}

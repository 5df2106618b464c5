import { requireVersion } from '../http/entity-tag.ts'
import { notFound, problem, raise } from '../http/problem.ts'
import type { IntegrationContent, StoredIntegration } from './integration-record.ts'
import type { IntegrationStore } from './integration-store.ts'
import { refuseOrUnderAll } from './or-under-all.ts'

/** Each time somebody else was faster, so this many writers of one integration at once are served. */
const triesMax = 100

export interface Edited {
  readonly org: string
  readonly id: string
  /** As it was sent. */
  readonly ifMatch: string | undefined
}

/**
 * Reads an integration, makes the change of what was read, and writes it when it is still what was read; otherwise begins
 * again, so that no two changes mix. `change` may be asked more than once.
 * @throws Problem 404, 412 for another version than the one asked for, 409 for `or` under `all`
 */
export async function editIntegration(
  store: IntegrationStore,
  edited: Edited,
  change: (current: StoredIntegration) => IntegrationContent,
): Promise<StoredIntegration> {
  return untilUnchanged(store, edited, (current) => {
    const next = change(current)
    refuseOrUnderAll(next, current)
    return store.replace(edited.org, current, next)
  })
}

/** @throws Problem 404, 412 for another version than the one asked for */
export async function deleteIntegration(store: IntegrationStore, edited: Edited): Promise<void> {
  await untilUnchanged(store, edited, async (current) => (await store.remove(edited.org, current)) || undefined)
}

/** `write` answers undefined when the integration was changed since it was read. */
async function untilUnchanged<T>(
  store: IntegrationStore,
  { org, id, ifMatch }: Edited,
  write: (current: StoredIntegration) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const current = (await store.find({ org }, id)) ?? raise(notFound('integration', id))
    requireVersion(ifMatch, current.version)
    const written = await write(current)
    if (written !== undefined) return written
  }
  throw problem('unavailable', 'The integration is being changed by many at once.', { retryAfterSeconds: 1 })
}

import { untilUnchanged } from '../metadata/until-unchanged.ts'
import type { IntegrationContent, StoredIntegration } from './integration-record.ts'
import type { IntegrationStore } from './integration-store.ts'
import { refuseOrUnderAll } from './or-under-all.ts'

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
  return untilUnchanged(recordOf(store, edited), (current) => {
    const next = change(current)
    refuseOrUnderAll(next, current)
    return store.replace(edited.org, current, next)
  })
}

/**
 * `refuse` throws what speaks against it.
 * @throws Problem 404, 412 for another version than the one asked for
 */
export async function deleteIntegration(
  store: IntegrationStore,
  edited: Edited,
  refuse: (current: StoredIntegration) => Promise<void>,
): Promise<void> {
  await untilUnchanged(recordOf(store, edited), async (current) => {
    await refuse(current)
    return (await store.remove(edited.org, current)) || undefined
  })
}

function recordOf(store: IntegrationStore, { org, id, ifMatch }: Edited) {
  return { noun: 'integration', id, ifMatch, find: () => store.find({ org }, id) }
}

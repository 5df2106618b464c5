import { notFound, problem, raise } from '../problem/problem.ts'
import { requireVersion } from '../problem/record-input.ts'
import type { RecordStore } from './record-store.ts'

/** Each failed try means that another writer succeeded, so this many concurrent writers of one record are served. */
const triesMax = 100

/** A record that a request changes. */
export interface EditedRecord {
  readonly org: string
  readonly id: string
  /** The header `If-Match` as it was sent. */
  readonly ifMatch: string | undefined
}

/**
 * Replaces a record by what `change` makes of it. When another writer is faster, `change` is called again with what
 * that writer stored, so no change is lost and no two are mixed.
 * @throws Problem 404, 412 when `If-Match` names another version
 */
export function updateRecord<Content, Stored extends { readonly version: number }>(
  store: Pick<RecordStore<Content, Stored>, 'noun' | 'find' | 'replace'>,
  { org, id, ifMatch }: EditedRecord,
  change: (current: Stored) => Content,
): Promise<Stored> {
  const record = { noun: store.noun, id, ifMatch, find: () => store.find({ org }, id) }
  return untilUnchanged(record, (current) => store.replace(org, current, change(current)))
}

/**
 * Deletes a record unless `refuse` throws.
 * @throws Problem 404, 412 when `If-Match` names another version
 */
export async function deleteRecord<Stored extends { readonly version: number }>(
  store: Pick<RecordStore<never, Stored>, 'noun' | 'find' | 'remove'>,
  { org, id, ifMatch }: EditedRecord,
  refuse?: (current: Stored) => Promise<void>,
): Promise<void> {
  const record = { noun: store.noun, id, ifMatch, find: () => store.find({ org }, id) }
  await untilUnchanged(record, async (current) => {
    await refuse?.(current)
    return (await store.remove(org, current)) || undefined
  })
}

/** A versioned value and how it is read. */
export interface VersionedValue<Stored> {
  /** What problems call it: `integration`. */
  readonly noun: string
  readonly id: string
  readonly ifMatch: string | undefined
  find(): Promise<Stored | undefined>
}

/**
 * Reads a value and calls `write` with it, again and again until `write` returns something other than undefined, which
 * means that the value had changed since it was read.
 * @throws Problem 404, 412 when `If-Match` names another version
 */
export async function untilUnchanged<Stored extends { readonly version: number }, Written>(
  { noun, id, ifMatch, find }: VersionedValue<Stored>,
  write: (current: Stored) => Promise<Written | undefined>,
): Promise<Written> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const current = (await find()) ?? raise(notFound(noun, id))
    requireVersion(ifMatch, current.version)
    const written = await write(current)
    if (written !== undefined) return written
  }
  throw problem('unavailable', `Too many concurrent changes of the ${noun}. Retry.`, { retryAfterSeconds: 1 })
}

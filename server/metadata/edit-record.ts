import { notFound, problem, raise } from '../problem/problem.ts'
import { requireVersion } from '../problem/record-input.ts'
import type { Author } from './audit-log.ts'
import type { RecordStore } from './record-store.ts'

/**
 * Maximum number of tries. A try fails only if another writer succeeds, so this many concurrent writers of one record
 * all succeed.
 */
const triesMax = 100

/** A record that a request changes. */
export interface EditedRecord {
  readonly author: Author
  readonly id: string
  /** The `If-Match` header of the request, unparsed. */
  readonly ifMatch: string | undefined
}

/**
 * Replaces a record by the result of `change`. If another writer is faster, `change` is called again with the record
 * that this writer stored, so no change is lost.
 * @throws Problem 404, 412 when `If-Match` names another version
 */
export function updateRecord<Content, Stored extends { readonly version: number }>(
  store: Pick<RecordStore<Content, Stored>, 'noun' | 'find' | 'replace'>,
  { author, id, ifMatch }: EditedRecord,
  change: (current: Stored) => Content,
): Promise<Stored> {
  const record = { noun: store.noun, id, ifMatch, find: () => store.find({ org: author.caller.org }, id) }
  return untilUnchanged(record, (current) => store.replace(author, current, change(current)))
}

/**
 * Deletes a record unless `refuse` throws.
 * @throws Problem 404, 412 when `If-Match` names another version
 */
export async function deleteRecord<Stored extends { readonly version: number }>(
  store: Pick<RecordStore<never, Stored>, 'noun' | 'find' | 'remove'>,
  { author, id, ifMatch }: EditedRecord,
  refuse?: (current: Stored) => Promise<void>,
): Promise<void> {
  const record = { noun: store.noun, id, ifMatch, find: () => store.find({ org: author.caller.org }, id) }
  await untilUnchanged(record, async (current) => {
    await refuse?.(current)
    return (await store.remove(author, current)) || undefined
  })
}

/** A versioned value, and the function that reads it. */
export interface VersionedValue<Stored> {
  /** The name of the value in problems, such as `integration`. */
  readonly noun: string
  readonly id: string
  readonly ifMatch: string | undefined
  find(): Promise<Stored | undefined>
}

/**
 * Reads a value and calls `write` with it, and repeats both until `write` returns something other than undefined.
 * `write` returns undefined if the value has changed since it was read.
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

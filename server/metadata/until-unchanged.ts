import { requireVersion } from '../problem/entity-tag.ts'
import { notFound, problem, raise } from '../problem/problem.ts'

/** Each time somebody else was faster, so this many writers of one record at once are served. */
const triesMax = 100

/** One record to change, and how it is found. */
export interface EditedRecord<Stored> {
  /** For the texts of problems: `integration`. */
  readonly noun: string
  readonly id: string
  /** As it was sent. */
  readonly ifMatch: string | undefined
  find(): Promise<Stored | undefined>
}

/**
 * Reads a record and writes what `write` makes of it; begins again when `write` answers undefined, because the record was
 * changed since it was read. So no two changes mix. `write` may be asked more than once.
 * @throws Problem 404, 412 for another version than the one asked for
 */
export async function untilUnchanged<Stored extends { readonly version: number }, Written>(
  { noun, id, ifMatch, find }: EditedRecord<Stored>,
  write: (current: Stored) => Promise<Written | undefined>,
): Promise<Written> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const current = (await find()) ?? raise(notFound(noun, id))
    requireVersion(ifMatch, current.version)
    const written = await write(current)
    if (written !== undefined) return written
  }
  throw problem('unavailable', `The ${noun} is being changed by many at once.`, { retryAfterSeconds: 1 })
}

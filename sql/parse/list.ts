import { InvalidQuery, type QueryFault } from '../errors.ts'

/** Records a fault of one field of an item. Returns undefined, so that a parser can return the call. */
export type Refuse = (field: string, code: QueryFault['code'], message: string) => undefined

/** Records faults at a pointer in the request's body. */
export function refuseAt(pointer: string, faults: QueryFault[]): Refuse {
  return (field, code, message) => {
    faults.push({ pointer: `${pointer}/${field}`, code, message })
    return undefined
  }
}

export interface ListOptions {
  /** Where the list is in the request's body. */
  readonly pointer: string
  /** The largest number of items, and the sentence that refuses more. */
  readonly limit?: { readonly max: number; readonly message: string }
}

/**
 * Parses the items of a list, each of which is undefined if something about it was refused.
 * @throws InvalidQuery with the faults of all items
 */
export function parseList<Raw, Item>(
  items: readonly Raw[],
  { pointer, limit }: ListOptions,
  parseItem: (item: Raw, refuse: Refuse) => Item | undefined,
): Item[] {
  if (limit !== undefined && items.length > limit.max)
    throw new InvalidQuery([{ pointer, code: 'too_many_conditions', message: limit.message }])
  const faults: QueryFault[] = []
  const parsed = items.map((item, index) => parseItem(item, refuseAt(`${pointer}/${index}`, faults)))
  if (faults.length > 0) throw new InvalidQuery(faults)
  return parsed.filter((item) => item !== undefined)
}

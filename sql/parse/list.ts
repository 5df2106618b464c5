import { InvalidQuery, type QueryFault } from '../errors.ts'

/** Records a fault in a field of an item. Returns undefined, so that a parser can return the result of the call. */
export type Refuse = (field: string, code: QueryFault['code'], message: string) => undefined

/** Creates a function that records faults at a pointer in the request body. */
export function refuseAt(pointer: string, faults: QueryFault[]): Refuse {
  return (field, code, message) => {
    faults.push({ pointer: `${pointer}/${field}`, code, message })
    return undefined
  }
}

export interface ListOptions {
  /** Locates the list in the request body. */
  readonly pointer: string
  /** The maximum number of items, and the message that refuses more. */
  readonly limit?: { readonly max: number; readonly message: string }
}

/**
 * Parses the items of a list. `parse` returns undefined after recording a fault.
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

/** How items are worked at together, and what becomes of one that cannot be. */
export interface HalvedWork<Item, Result> {
  /** Rejects for all of its items, and does not tell which one it was. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly failed: (item: Item, error: unknown) => Result
  /** Errors that come from none of the items: asking for fewer of them would fail as well. */
  readonly isOfNone: (error: unknown) => boolean
}

/**
 * Works at all items together. When that fails, at each half of them, and so on down to those that fail alone: one bad
 * item among n costs about 2 log2(n) attempts, and stops none of the others.
 */
export async function bisect<Item, Result>(items: readonly Item[], how: HalvedWork<Item, Result>): Promise<Result[]> {
  try {
    return [...(await how.work(items))]
  } catch (error) {
    if (items.length <= 1 || how.isOfNone(error)) return items.map((item) => how.failed(item, error))
  }
  const middle = items.length >> 1
  return [...(await bisect(items.slice(0, middle), how)), ...(await bisect(items.slice(middle), how))]
}

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Items of the first step, which reads few enough of the largest records. */
const firstStepItems = 8
/** A step that takes less time is followed by one of twice as many items, otherwise by one of half as many. */
const stepMs = 5

/**
 * Reads a list in steps, so that no step of large items blocks the event loop for long: metadata in a file is read
 * synchronously, and records are parsed. `read` returns up to `count` items after `last`, or from the start; fewer end
 * the list.
 */
export async function readInSteps<Item>(
  limit: number,
  read: (count: number, last: Item | undefined) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let step = firstStepItems; items.length < limit; ) {
    const count = Math.min(step, limit - items.length)
    const startedAt = performance.now()
    const found = await read(count, items.at(-1))
    for (const item of found) items.push(item)
    if (found.length < count) break
    step = performance.now() - startedAt < stepMs ? step * 2 : Math.max(1, Math.floor(step / 2))
    await nextTurn()
  }
  return items
}

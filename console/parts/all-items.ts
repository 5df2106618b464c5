/** Reads an asynchronous list to its end. */
export async function allItems<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = []
  for await (const item of list) read.push(item)
  return read
}

/** Formats a number of things: `1 message`, `1,204 messages`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats the number of things found of all: `2 rules of 1,204`, or only `3 rules` if these are all. */
export function countedOf(found: number, all: number, noun: string): string {
  return counted(found, noun) + (found < all ? ` of ${all.toLocaleString('en')}` : '')
}

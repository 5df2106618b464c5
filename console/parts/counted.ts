/** Writes a number of things: `1 message`, `1,204 messages`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** Writes how many things of all were found: `2 rules of 1,204`, or only `3 rules` if they are all. */
export function countedOf(found: number, all: number, noun: string): string {
  return counted(found, noun) + (found < all ? ` of ${all.toLocaleString('en')}` : '')
}

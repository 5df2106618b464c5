/** The number of tests that one number of a packed list of tests holds. */
export const bitsPerNumber = 32

/** Reports whether a bit is set in numbers of 32 bits each. Bits are numbered from the lowest of the first number. */
export function hasBit(numbers: readonly number[], index: number): boolean {
  const number = numbers[Math.floor(index / bitsPerNumber)] ?? 0
  return ((number >>> (index % bitsPerNumber)) & 1) === 1
}

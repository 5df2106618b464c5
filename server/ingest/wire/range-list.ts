/** Messages of one repeated field, by their offsets in the body. One list is filled again and again. */
export class RangeList {
  count = 0
  start = new Int32Array(16)
  end = new Int32Array(16)

  clear(): void {
    this.count = 0
  }

  add(start: number, end: number): void {
    if (this.count === this.start.length) {
      this.start = doubled(this.start)
      this.end = doubled(this.end)
    }
    this.start[this.count] = start
    this.end[this.count] = end
    this.count++
  }
}

/** The same numbers with room for as many more. */
export function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(array.length * 2)
  grown.set(array)
  return grown
}

const view = new DataView(new ArrayBuffer(8))

/** The double of these bits, given as two unsigned halves. */
export function doubleOfBits(low: number, high: number): number {
  view.setUint32(0, low, true)
  view.setUint32(4, high, true)
  return view.getFloat64(0, true)
}

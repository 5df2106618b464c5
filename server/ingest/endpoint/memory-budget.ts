/** Memory that one request holds; give it back with `release`, once. */
export interface Reservation {
  /** False, and nothing more is held, when the budget has not so much left. */
  grow(bytes: number): boolean
  shrink(bytes: number): void
  release(): void
}

/**
 * Bounds the memory of all requests that are being stored. A request alone always fits, however large it may be, or it
 * would never be stored.
 */
export class MemoryBudget {
  private readonly bytesMax: number
  private readonly onChange: (bytesUsed: number) => void
  private used = 0
  private holders = 0

  constructor(bytesMax: number, onChange: (bytesUsed: number) => void) {
    this.bytesMax = bytesMax
    this.onChange = onChange
  }

  open(): Reservation {
    let held = 0
    const change = (bytes: number) => {
      if (held === 0 && bytes > 0) this.holders++
      held += bytes
      if (held === 0 && bytes < 0) this.holders--
      this.used += bytes
      this.onChange(this.used)
    }
    return {
      grow: (bytes) => {
        const alone = this.holders === (held > 0 ? 1 : 0)
        if (this.used + bytes > this.bytesMax && !alone) return false
        change(bytes)
        return true
      },
      shrink: (bytes) => change(-Math.min(bytes, held)),
      release: () => change(-held),
    }
  }
}

/** The memory that one request holds. Call `release` once, at the end. */
export interface Reservation {
  /** Reserves more memory. Returns false, and reserves nothing, if the budget does not have enough left. */
  grow(bytes: number): boolean
  shrink(bytes: number): void
  release(): void
}

/**
 * Limits the memory of all requests that are being stored. The only request in progress always fits, however large it
 * is, because it could never be stored otherwise.
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

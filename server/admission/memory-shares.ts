/** The memory that one request holds. Call `release` once, at the end. */
export interface Reservation {
  /** Reserves more memory. Returns false, and reserves nothing, if the organization may not hold as much. */
  grow(bytes: number): boolean
  /** Reserves more memory, even if the organization may not hold as much. */
  growAlways(bytes: number): void
  shrink(bytes: number): void
  release(): void
}

/**
 * The multiple of the free memory that one organization may hold. An organization alone thus gets three quarters, two
 * get three sevenths each, and some memory always remains for the next one. (The rule is known as dynamic thresholds,
 * from the buffers of network switches.)
 */
const freeMultipleMax = 3

/**
 * Limits the memory of all requests of a kind, and divides it between the organizations that send them. The only
 * request in progress always fits, however large it is, because it could never be carried out otherwise.
 */
export class MemoryShares {
  private readonly bytesMax: number
  private readonly onChange: (bytesUsed: number) => void
  private readonly heldByOrg = new Map<string, number>()
  private used = 0
  private holders = 0

  constructor(bytesMax: number, onChange: (bytesUsed: number) => void = () => {}) {
    this.bytesMax = bytesMax
    this.onChange = onChange
  }

  open(org: string): Reservation {
    let held = 0
    const change = (bytes: number) => {
      if (held === 0 && bytes > 0) this.holders++
      held += bytes
      if (held === 0 && bytes < 0) this.holders--
      this.change(org, bytes)
    }
    return {
      grow: (bytes) => {
        const alone = this.holders === (held > 0 ? 1 : 0)
        if (!alone && !this.allows(org, bytes)) return false
        change(bytes)
        return true
      },
      growAlways: change,
      shrink: (bytes) => change(-bytes),
      release: () => change(-held),
    }
  }

  private allows(org: string, bytes: number): boolean {
    const free = this.bytesMax - this.used - bytes
    return (this.heldByOrg.get(org) ?? 0) + bytes <= free * freeMultipleMax
  }

  private change(org: string, bytes: number): void {
    const held = (this.heldByOrg.get(org) ?? 0) + bytes
    if (held === 0) this.heldByOrg.delete(org)
    else this.heldByOrg.set(org, held)
    this.used += bytes
    this.onChange(this.used)
  }
}

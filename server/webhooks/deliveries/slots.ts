/** Maximum numbers of concurrent requests of one server. */
interface SlotLimits {
  readonly all: number
  /** Keeps a slow receiver from occupying all slots. */
  readonly perChannel: number
  readonly perHost: number
}

export const slotLimits: SlotLimits = { all: 32, perChannel: 4, perHost: 8 }

/** The slots of one server for concurrent requests. */
export interface Slots {
  readonly free: number
  /** Returns the channels that have no free slot. */
  fullChannels(): string[]
  hasRoomFor(channelId: string): boolean
  /** Takes a slot. Call it only if `hasRoomFor` returns true. */
  take(channelId: string): Slot
}

/** The right to send one request. */
export interface Slot {
  /**
   * Reserves the host. Returns false if the host is full; the channel then counts as full until another request ends.
   */
  takeHost(host: string): boolean
  free(): void
}

export function createSlots(limits: SlotLimits): Slots {
  const channels = new Tally()
  const hosts = new Tally()
  const waiting = new Set<string>()
  const isFull = (channelId: string) => waiting.has(channelId) || channels.count(channelId) >= limits.perChannel
  return {
    get free() {
      return limits.all - channels.total
    },
    fullChannels: () => [...new Set([...waiting, ...channels.keys().filter(isFull)])],
    hasRoomFor: (channelId) => channels.total < limits.all && !isFull(channelId),
    take(channelId) {
      let taken: string | undefined
      channels.add(channelId, 1)
      return {
        takeHost(host) {
          if (hosts.count(host) >= limits.perHost) {
            waiting.add(channelId)
            return false
          }
          taken = host
          hosts.add(host, 1)
          return true
        },
        free() {
          channels.add(channelId, -1)
          if (taken === undefined) return
          hosts.add(taken, -1)
          waiting.clear()
        },
      }
    },
  }
}

/** Counts by key. Keys with a count of zero are dropped. */
class Tally {
  readonly #counts = new Map<string, number>()
  total = 0

  keys(): string[] {
    return [...this.#counts.keys()]
  }

  count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, change: 1 | -1): void {
    const count = this.count(key) + change
    this.total += change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

/** Limits of what one server sends at once. */
export interface SlotLimits {
  readonly all: number
  /** So that one slow receiver holds up nobody else. */
  readonly perChannel: number
  readonly perHost: number
}

export const slotLimitsDefault: SlotLimits = { all: 32, perChannel: 4, perHost: 8 }

/** What is being sent now. */
export interface Slots {
  readonly free: number
  /** Channels for which nothing more may be sent now. */
  fullChannels(): string[]
  hasRoomFor(channelId: string): boolean
  take(channelId: string): Slot
}

export interface Slot {
  /** Whether the host has room; when it has not, its channel counts as full until something else ends. */
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

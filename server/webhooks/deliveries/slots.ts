/** Maximum numbers of concurrent requests of one server. */
interface SlotLimits {
  readonly all: number
  /**
   * Further slots for organizations that hold none, so that they need not wait until others, whose receivers may be
   * slow, free one.
   */
  readonly first: number
  /** Keeps an organization with many slow receivers from occupying all slots. */
  readonly perOrg: number
  /** Keeps a slow receiver from occupying all slots of its organization. */
  readonly perChannel: number
  readonly perHost: number
}

export const slotLimits: SlotLimits = { all: 32, first: 8, perOrg: 16, perChannel: 4, perHost: 8 }

/** The channel for which a request is sent, and its organization. */
export interface Sender {
  readonly org: string
  readonly channelId: string
  /** The URL of the channel. */
  readonly url: string
}

/** The organizations and channels whose deliveries are left out. */
export interface Excluded {
  readonly orgs: readonly string[]
  readonly channelIds: readonly string[]
}

/** The slots of one server for concurrent requests. */
export interface Slots {
  /** Whether no organization may take a slot. */
  readonly areTaken: boolean
  /** Returns the organizations and channels that may not take a slot. */
  full(): Excluded
  /**
   * Takes a slot, if there is one. If the host of the channel is full, the channel counts as full until a request ends.
   */
  take(sender: Sender): Slot | undefined
}

/** The right to send one request. */
export interface Slot {
  free(): void
}

export function createSlots(limits: SlotLimits): Slots {
  const orgs = new Tally()
  const channels = new Tally()
  const hosts = new Tally()
  const waiting = new Set<string>()
  const areTaken = () => orgs.total >= limits.all + limits.first
  const isOrgFull = (org: string) => orgs.count(org) >= (orgs.total < limits.all ? limits.perOrg : 1)
  const isChannelFull = (id: string) => waiting.has(id) || channels.count(id) >= limits.perChannel
  return {
    get areTaken() {
      return areTaken()
    },
    full: () => ({
      orgs: orgs.keys().filter(isOrgFull),
      channelIds: [...new Set([...waiting, ...channels.keys().filter(isChannelFull)])],
    }),
    take({ org, channelId, url }) {
      if (areTaken() || isOrgFull(org) || isChannelFull(channelId)) return undefined
      const host = hostOf(url)
      if (hosts.count(host) >= limits.perHost) {
        waiting.add(channelId)
        return undefined
      }
      const add = (change: 1 | -1) => {
        orgs.add(org, change)
        channels.add(channelId, change)
        hosts.add(host, change)
      }
      add(1)
      return {
        free() {
          add(-1)
          waiting.clear()
        },
      }
    },
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
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

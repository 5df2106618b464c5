/** How long something that was learned from ClickHouse is known by default. */
const knownMsUsual = 600_000
/** The maximum number of keys about which something is remembered. */
const knownMax = 10_000

export interface Memory<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** Creates a map that forgets entries after `knownMs`, and the oldest ones if there are too many. */
export function createMemory<Value>(now: () => Date, knownMs = knownMsUsual): Memory<Value> {
  const entries = new Map<string, { readonly value: Value; readonly untilMs: number }>()
  return {
    get(key: string): Value | undefined {
      const entry = entries.get(key)
      return entry === undefined || entry.untilMs < now().getTime() ? undefined : entry.value
    },
    set(key: string, value: Value): void {
      entries.delete(key)
      entries.set(key, { value, untilMs: now().getTime() + knownMs })
      const [oldest] = entries.keys()
      if (entries.size > knownMax && oldest !== undefined) entries.delete(oldest)
    },
  }
}

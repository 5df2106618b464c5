/** How long something that was learned from ClickHouse is known by default. */
const knownMsUsual = 600_000
/** The maximum number of keys about which something is remembered. */
const knownMax = 10_000

export interface Memory<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** Creates a memory that drops the entries set least recently if there are too many. */
export function createBoundedMemory<Value>(): Memory<Value> {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > knownMax && oldest !== undefined) entries.delete(oldest)
    },
  }
}

/**
 * Creates a bounded memory that also forgets entries after `knownMs`, and those of the future: when the clock is set
 * back, they would be kept for as much longer.
 */
export function createMemory<Value>(now: () => Date, knownMs = knownMsUsual): Memory<Value> {
  const entries = createBoundedMemory<{ readonly value: Value; readonly setMs: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      const ageMs = now().getTime() - entry.setMs
      return ageMs >= 0 && ageMs <= knownMs ? entry.value : undefined
    },
    set(key, value) {
      entries.set(key, { value, setMs: now().getTime() })
    },
  }
}

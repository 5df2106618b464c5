const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1e3, min: 60e3, m: 60e3, h: 3_600e3, d: 86_400e3 }

/** Parses a time such as `500ms`, `30 s` or `5 min`; undefined for anything else. */
export function parseMilliseconds(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^\s*(\d{1,9})\s*(ms|s|min|m|h|d)\s*$/.exec(text) ?? []
  const size = unitMs[unit]
  return size === undefined ? undefined : Number(digits) * size
}

/** Formats milliseconds in the largest unit that gives a whole number: `5 min`. */
export function formatMilliseconds(ms: number): string {
  const [unit, size] = (
    [
      ['d', 86_400e3],
      ['h', 3_600e3],
      ['min', 60e3],
      ['s', 1e3],
    ] as const
  ).find(([, each]) => ms > 0 && ms % each === 0) ?? ['ms', 1]
  return `${ms / size} ${unit}`
}

const units: readonly (readonly [ns: number, name: string])[] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
]

/** Formats nanoseconds with three digits in the unit that suits them: `3 µs`, `184 ms`, `2.04 s`, `3 min 4 s`. */
export function formatNs(ns: number): string {
  if (ns >= 60e9) {
    const seconds = Math.round(ns / 1e9)
    const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
    return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`
  }
  const [size, name] = units.find(([each]) => ns >= each) ?? [1, 'ns']
  const value = ns / size
  return `${Number(value.toPrecision(value >= 100 ? 4 : 3))} ${name}`
}

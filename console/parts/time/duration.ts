const units: readonly (readonly [ns: number, name: string])[] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
]

const longUnits: typeof units = [[86_400e9, 'd'], [3_600e9, 'h'], [60e9, 'min'], ...units]

/** Formats nanoseconds in one unit for an axis, where space is scarce: `1.65 h`. Timestamps are whole nanoseconds. */
export function formatNsTick(ns: number): string {
  if (ns < 1) return '0 ns'
  const [size, name] = longUnits.find(([each]) => ns >= each) ?? [1, 'ns']
  const value = ns / size
  return `${value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3))} ${name}`
}

/** From this number of hours, days are easier to read. */
const daysFromHours = 48

/** Formats nanoseconds with three digits in the unit that suits them: `3 µs`, `2.04 s`, `3 min 4 s`, `11 d 2 h`. */
export function formatNs(ns: number): string {
  if (ns >= 60e9) {
    const seconds = Math.round(ns / 1e9)
    const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
    if (hours >= daysFromHours) return `${Math.floor(hours / 24).toLocaleString('en')} d ${hours % 24} h`
    return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`
  }
  const [size, name] = units.find(([each]) => ns >= each) ?? [1, 'ns']
  const value = ns / size
  return `${Number(value.toPrecision(value >= 100 ? 4 : 3))} ${name}`
}

/** Units of the API, which are those of UCUM as OpenTelemetry uses them, and values in them. */
import { formatNs } from '../time/duration.ts'

const nanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  ms: 1e6,
  s: 1e9,
  min: 60e9,
  h: 3_600e9,
  d: 86_400e9,
}

const bytes: Readonly<Record<string, number>> = {
  By: 1,
  kBy: 1e3,
  MBy: 1e6,
  GBy: 1e9,
  KiBy: 1_024,
  MiBy: 1_024 ** 2,
  GiBy: 1_024 ** 3,
}

const byteSizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

const otherUnits: Readonly<Record<string, string>> = { '1': '', Cel: '°C', V: 'V', A: 'A', Hz: 'Hz' }

interface SplitUnit {
  /** The unit without its time. */
  readonly base: string
  /** The suffix of the value, such as `/s`. */
  readonly per: string
}

/** Splits a unit such as `{request}/s` into its base and the time that it is counted in. */
function split(unit: string): SplitUnit {
  const [, base = '', per = ''] = /^(.*?)(\/(?:s|min|h|d))?$/.exec(unit) ?? []
  return { base, per }
}

/** Returns a unit for a heading: `request/s` for `{request}/s`, `B` for `By`. Empty for plain numbers. */
export function unitWords(unit: string): string {
  const { base, per } = split(unit)
  if (base in bytes) return `${base.replace('By', 'B')}${per}`
  const words = otherUnits[base] ?? base.replaceAll(/[{}]/g, '')
  return words === '' && per !== '' ? `per ${per.slice(1)}` : `${words}${per}`
}

/**
 * Returns the unit for the heading of values that `formatValue` or `formatTick` formats. These choose a unit for each
 * duration and size, so the heading of `By/s` is `per s`.
 */
export function headingUnit(unit: string): string {
  const { base, per } = split(unit)
  const isWritten = base in nanoseconds || base in bytes || base === '%'
  return isWritten ? unitWords(per) : unitWords(unit)
}

/** Formats a value with its unit, in short: `184 ms`, `3.2 MiB/s`, `1,204`, `12.5%`. */
export function formatValue(value: number, unit: string): string {
  const { base, per } = split(unit)
  const sign = value < 0 ? '−' : ''
  const size = Math.abs(value)
  const ns = nanoseconds[base]
  if (ns !== undefined) return size === 0 ? `0 ${base}${per}` : `${sign}${formatNs(size * ns)}${per}`
  const byte = bytes[base]
  if (byte !== undefined) return `${sign}${formatBytes(size * byte)}${per}`
  if (base === '%') return `${sign}${size.toLocaleString('en', { maximumSignificantDigits: 3 })}%${per}`
  const words = otherUnits[base] ?? (base.includes('{') ? '' : base)
  return `${sign}${formatNumber(size)}${words === '' ? '' : ` ${words}`}${per}`
}

/** Formats a value with all its digits and its unit: `250 ms`, `1.234 s`, `10,000`. */
export function formatExactly(value: number, unit: string): string {
  // Whole milliseconds are also exact in seconds, the unit of other durations of this size.
  const isInSeconds = unit === 'ms' && Number.isInteger(value) && Math.abs(value) >= 1_000
  const [size, sizeUnit] = isInSeconds ? [value / 1_000, 's'] : [value, unit]
  const digits = size.toLocaleString('en', { maximumFractionDigits: 20 }).replace('-', '−')
  return `${digits}${sizeUnit === '%' ? '' : ' '}${unitWords(sizeUnit)}`.trimEnd()
}

/** Formats an integer of any size with all its digits, and its unit unchanged: `18,446,744,073,709,551,615 B`. */
export function formatWhole(digits: string, unit = ''): string {
  const words = unitWords(unit)
  return `${BigInt(digits).toLocaleString('en').replace('-', '−')}${words === '' ? '' : ` ${words}`}`
}

/** Formats the values of an axis: in short, or with all their digits if two of them would look alike. */
export function formatTicks(values: readonly number[], unit: string): string[] {
  const texts = values.map((value) => formatTick(value, unit))
  if (new Set(texts).size === texts.length) return texts
  // Only these units are repeated at each value.
  const isWritten = headingUnit(unit) !== unitWords(unit)
  return values.map((value) => formatExactly(value, isWritten ? split(unit).base : '1'))
}

/** Formats a value for an axis, where space is scarce: `1.2K` instead of `1,204`. */
function formatTick(value: number, unit: string): string {
  const { base } = split(unit)
  const isShort = Math.abs(value) < 10_000 || base in nanoseconds || base in bytes
  if (isShort) return formatValue(value, unit).replace(/\/(s|min|h|d)$/, '')
  return value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 })
}

function formatBytes(size: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(size, 1)) / 10), byteSizes.length - 1)
  return `${formatNumber(size / 1_024 ** power)} ${byteSizes[power]}`
}

/** Formats a number: integers with all their digits, others with at least four. */
function formatNumber(value: number): string {
  if (value !== 0 && (value < 1e-4 || value >= 1e15)) return value.toExponential(3)
  const whole = Math.floor(value).toString().length
  return value.toLocaleString('en', { maximumSignificantDigits: Math.max(4, whole) })
}

/** Reports whether the ticks of an axis should be at powers of two. */
export function isBytes(unit: string): boolean {
  return split(unit).base in bytes
}

/** Readable widths of buckets, in seconds. */
const widths = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400]

const pointsMax = 120

/** Returns the width of buckets in seconds that gives a chart enough points for its size. */
export function stepSecondsOf({ from, to }: { readonly from: string; readonly to: string }): number {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000
  return widths.find((each) => seconds / each <= pointsMax) ?? Math.ceil(seconds / pointsMax / 86_400) * 86_400
}

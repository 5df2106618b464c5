/**
 * Runs the server with a shifted clock: `Date` is off by the milliseconds in the file that `clockFileVariable` names.
 * The file is read again every second, so that the clock steps while the server runs. The clock of its ClickHouse does
 * not, so what compares times with that one keeps the clock of the machine: it is imported before `Date` is replaced.
 */
import { readFileSync } from 'node:fs'
import '../../server/clickhouse/known-spans.ts'

/** The environment variable with the path of the file. Without it, nothing runs. */
export const clockFileVariable = 'SOAK_CLOCK_FILE'

const file = process.env[clockFileVariable] ?? ''
const RealDate = Date
let shiftMs = 0

function readShift(): void {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    shiftMs = 0
  }
}

class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(RealDate.now() + shiftMs)
    else super(...(args as [number]))
  }

  static override now(): number {
    return RealDate.now() + shiftMs
  }
}

if (file !== '') {
  readShift()
  setInterval(readShift, 1_000).unref()
  globalThis.Date = ShiftedDate as DateConstructor
  await import('../../server/main.ts')
}

import { InvalidQuery } from '#sql'
import { type FieldFault, Problem } from './problem.ts'

/** Keeps the faults of an invalid input and goes on without what was checked, so that all faults are told at once. */
export function collectFaults<T>(faults: FieldFault[], check: () => T): T | undefined {
  try {
    return check()
  } catch (error) {
    const found = error instanceof InvalidQuery ? error.faults : error instanceof Problem && error.extras.errors
    if (!found) throw error
    faults.push(...found)
    return undefined
  }
}

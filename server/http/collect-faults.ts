import { type FieldFault, Problem } from './problem.ts'

/** Keeps the faults of an invalid input and goes on without what was checked, so that all faults are told at once. */
export function collectFaults<T>(faults: FieldFault[], check: () => T): T | undefined {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof Problem) || error.extras.errors === undefined) throw error
    faults.push(...error.extras.errors)
    return undefined
  }
}

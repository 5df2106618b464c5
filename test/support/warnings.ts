import { onTestFinished } from 'vitest'

/** Collects the warnings of Node.js until the test ends. */
export function collectWarnings(): readonly Error[] {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  return warnings
}

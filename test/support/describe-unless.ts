import { describe, it } from 'vitest'

/**
 * Describes a suite that needs something a machine may lack. Where it is missing, a single skipped test stands for the
 * suite and has the reason as its note, which `test/support/skip-reasons.ts` prints.
 * @param reason why the suite cannot run, or undefined where it can
 */
export function describeUnless(reason: string | undefined, title: string, body: () => void): void {
  if (reason === undefined) return void describe(title, body)
  describe(title, () => it('runs only where nothing it needs is missing', ({ skip }) => skip(reason)))
}

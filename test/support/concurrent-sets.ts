import type { FuzzSet } from './fuzz-settings.ts'

/**
 * The number of sets that a suite checks at one time. The server, the engine and the reference take turns within a
 * case, so that one set alone leaves a core idle.
 */
const setsAtOnce = 4

/**
 * Checks all sets of a suite, a few at one time. After a difference it begins no further set, and waits for those that
 * it began, because they use the server.
 * @throws Error which says how to repeat the set of the first difference, with that difference as its cause
 */
export async function checkSets(sets: readonly FuzzSet[], check: (set: FuzzSet) => Promise<void>): Promise<void> {
  const differences: Error[] = []
  const waiting = sets.values()
  const next = async () => {
    for (const set of waiting) {
      if (differences.length > 0) return
      await check(set).catch((cause: unknown) => differences.push(new Error(repeatOf(set), { cause })))
    }
  }
  await Promise.all(Array.from({ length: setsAtOnce }, next))
  if (differences.length > 0) throw differences[0]
}

function repeatOf({ seed, cases }: FuzzSet): string {
  return `Repeat with FUZZ_SEED=${seed} FUZZ_CASES=${cases}.`
}

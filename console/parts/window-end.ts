import { useState } from 'react'
import type { WindowSearch } from './time.ts'

/** What is asked later than this ends at its own moment. Rows that are typed meanwhile have one window. */
const sameMomentMs = 60_000

/**
 * Returns the moment at which a relative window ends, and a function that makes it now. It is that at which the window
 * was last chosen, by whatever way it came into the address, or at which another question was asked much later.
 */
export function useWindowEnd({ last, from, to }: WindowSearch, question: unknown): readonly [Date, () => void] {
  const [window, asked] = [JSON.stringify([last, from, to]), JSON.stringify(question)]
  const [known, setKnown] = useState(() => ({ at: new Date(), window, asked }))
  if (known.window !== window || known.asked !== asked) {
    const isOther = known.window !== window || Date.now() - known.at.getTime() > sameMomentMs
    setKnown({ at: isOther ? new Date() : known.at, window, asked })
  }
  return [known.at, () => setKnown({ at: new Date(), window, asked })]
}

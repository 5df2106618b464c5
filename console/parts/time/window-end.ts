import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { currentTime } from './clock.ts'
import type { WindowSearch } from './time.ts'

/** A query that is sent later than this ends at its own moment. Rows that are typed meanwhile have one window. */
const sameMomentMs = 60_000
/** A page that is shown again later than this ends at its own moment: its answers are no longer kept. */
const sameAnswerMs = 300_000

/** The end of a window, and the query that it was made for. */
interface WindowEnd {
  readonly at: Date
  readonly window: string
  readonly query: string
}

/** The ends of pages that may be shown again by going back, by the keys of their places in the history. */
const earlierEnds = new Map<string, WindowEnd>()

/**
 * Returns the moment at which a relative window ends, and a function that makes it now. It is that at which the window
 * was last chosen, by whatever way it came into the address, or at which another query was sent much later. A page
 * that is shown again by going back keeps its moment, and so its answers and its place.
 */
export function useWindowEnd({ last, from, to }: WindowSearch, query: unknown): readonly [Date, () => void] {
  const request = { window: JSON.stringify([last, from, to]), query: JSON.stringify(query) }
  const key = useHistoryKey()
  const [known, setKnown] = useState(() => earlierEnd(key, { at: currentTime(), ...request }))
  useEffect(() => {
    if (key !== undefined) earlierEnds.set(key, known)
  }, [key, known])
  if (known.window !== request.window || known.query !== request.query) {
    const isOther = known.window !== request.window || currentTime().getTime() - known.at.getTime() > sameMomentMs
    setKnown({ at: isOther ? currentTime() : known.at, ...request })
  }
  return [known.at, () => setKnown({ at: currentTime(), ...request })]
}

/** Returns the key of the place of a page in the history, or undefined while the address is already that of another. */
function useHistoryKey(): string | undefined {
  const { pathname, state } = useLocation()
  const [page] = useState(pathname)
  return pathname === page ? state.__TSR_key : undefined
}

/** Returns the end that a place in the history had not long before, if its query is the same, or else a new one. */
function earlierEnd(key: string | undefined, end: WindowEnd): WindowEnd {
  const earlier = earlierEnds.get(key ?? '')
  if (earlier === undefined || earlier.window !== end.window || earlier.query !== end.query) return end
  return end.at.getTime() - earlier.at.getTime() <= sameAnswerMs ? earlier : end
}

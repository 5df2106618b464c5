import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { currentTime } from './clock.ts'
import type { WindowSearch } from './time.ts'

/**
 * After this time, another query ends at its own moment. Until then, rows that are typed one after the other share a
 * window.
 */
const sameMomentMs = 60_000
/** After this time, a page that is shown again ends at its own moment, because its results are no longer cached. */
const sameAnswerMs = 300_000

/** The end of a window, and the query for which it was determined. */
interface WindowEnd {
  readonly at: Date
  readonly window: string
  readonly query: string
}

/** The ends of windows by the keys of history entries, for pages that are shown again. */
const earlierEnds = new Map<string, WindowEnd>()

/**
 * Returns the time at which a relative window ends, and a function that sets it to now. It is set when a window is
 * chosen, in whatever way it got into the address, and when another query is sent much later. A page that is shown
 * again by going back keeps its end, and with it its results and its scroll position.
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

/** Returns the key of the current history entry, or undefined if the address is already that of another one. */
function useHistoryKey(): string | undefined {
  const { pathname, state } = useLocation()
  const [page] = useState(pathname)
  return pathname === page ? state.__TSR_key : undefined
}

/** Returns the recent end of a history entry if its query is the same, or else a new one. */
function earlierEnd(key: string | undefined, end: WindowEnd): WindowEnd {
  const earlier = earlierEnds.get(key ?? '')
  if (earlier === undefined || earlier.window !== end.window || earlier.query !== end.query) return end
  return end.at.getTime() - earlier.at.getTime() <= sameAnswerMs ? earlier : end
}

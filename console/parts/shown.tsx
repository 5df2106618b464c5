import { useState } from 'react'
import { Button } from 'react-aria-components'

/** A span may have 10,000 attributes, events or links. More of them than these are shown in parts. */
export const shownMax = 100

/** Returns the first of a list, and a button that shows more of them. */
export function useShown<Item>(items: readonly Item[]) {
  const [max, setMax] = useState(shownMax)
  const rest = items.length - max
  const more = rest > 0 && (
    <Button className="link" onPress={() => setMax(max + shownMax)}>
      Show {Math.min(rest, shownMax)} of {rest.toLocaleString('en')} more
    </Button>
  )
  return { shown: items.slice(0, max), more }
}

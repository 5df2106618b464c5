import { useState } from 'react'
import { Button } from 'react-aria-components'

/** A span may have 10,000 attributes, events or links. Lists that are longer than this are shown in parts. */
export const shownMax = 100

/** Returns the first `step` items of a list, the number of the others, and a function that shows more. */
function useFirst<Item>(items: readonly Item[], step: number) {
  const [max, setMax] = useState(step)
  return { shown: items.slice(0, max), rest: items.length - max, showMore: () => setMax(max + step) }
}

/** Returns the first items of a list within a step, and a button that shows more of them. */
export function useShown<Item>(items: readonly Item[]) {
  const { shown, rest, showMore } = useFirst(items, shownMax)
  const more = rest > 0 && (
    <Button className="link" onPress={showMore}>
      Show {Math.min(rest, shownMax)} of {rest.toLocaleString('en')} more
    </Button>
  )
  return { shown, more }
}

/** Returns the first `step` records of a page that has read all of them, and a button that shows as many more. */
export function useShownRecords<Item>(items: readonly Item[], step: number) {
  const { shown, rest, showMore } = useFirst(items, step)
  const more = rest > 0 && (
    <Button className="button" onPress={showMore}>
      Show more
    </Button>
  )
  return { shown, more }
}

import { useState } from 'react'
import { Button } from 'react-aria-components'

const shownMax = 500

/** Returns the beginning of a text. No character is cut in two. */
export function beginningOf(text: string): string {
  return text.length <= shownMax ? text : `${text.slice(0, shownMax).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A text of which a long one begins short: drawing a megabyte takes seconds, and hides what follows it. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (isWhole || text.length <= shownMax) return text
  return (
    <>
      {beginningOf(text)}{' '}
      <Button className="link" onPress={() => setWhole(true)}>
        Show all {text.length.toLocaleString('en')} characters
      </Button>
    </>
  )
}

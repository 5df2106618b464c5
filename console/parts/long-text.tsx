import { useState } from 'react'
import { Button } from 'react-aria-components'

const lengthMax = 500

/** Whether only the beginning of a text is shown at first. */
export function isLong(text: string, max = lengthMax): boolean {
  return text.length > max
}

/** Returns the beginning of a text. No character is cut in two. */
export function beginningOf(text: string, max = lengthMax): string {
  return isLong(text, max) ? `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

interface LongTextProps {
  readonly text: string
  /** The length up to which the text is shown whole. */
  readonly max?: number
}

/** A text of which a long one begins short: drawing a megabyte takes seconds, and hides what follows it. */
export function LongText({ text, max = lengthMax }: LongTextProps) {
  const [isWhole, setWhole] = useState(false)
  if (isWhole || !isLong(text, max)) return text
  return (
    <>
      {beginningOf(text, max)}{' '}
      <Button className="link" onPress={() => setWhole(true)}>
        Show all {text.length.toLocaleString('en')} characters
      </Button>
    </>
  )
}

import { useState } from 'react'
import { Button } from 'react-aria-components'

const lengthMax = 500

/** Reports whether only the beginning of a text is shown at first. */
export function isLong(text: string, max = lengthMax): boolean {
  return text.length > max
}

/** Returns the beginning of a text, without splitting a character. */
export function beginningOf(text: string, max = lengthMax): string {
  return isLong(text, max) ? `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

interface LongTextProps {
  readonly text: string
  /** The length up to which a text is shown completely. */
  readonly max?: number
}

/**
 * Shows a text, of a long one only the beginning at first: rendering a megabyte takes seconds, and hides what follows.
 */
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

import type { ReactNode } from 'react'

interface SentenceTextProps {
  /** Undefined until the server has written it. */
  readonly text: string | undefined
  /** A text of similar length, so that nothing moves when the sentence arrives. */
  readonly likely: string
}

/** A longer sentence, for example one with a stack trace, scrolls, so that it leaves room for what follows. */
const lengthMax = 600

/** Shows a sentence of the server, or reserves its space until it arrives. */
export function SentenceText({ text, likely }: SentenceTextProps) {
  const isLong = (text ?? likely).length > lengthMax
  return (
    // A scrolling element must be reachable by keyboard.
    <span aria-live="polite" {...(isLong ? { className: 'long-sentence', tabIndex: 0 } : {})}>
      {text === undefined ? <span className="keeps-place">{unbroken(likely)}</span> : unbroken(text)}
    </span>
  )
}

const quotedOrTime = /("(?:[^"\\]|\\.)*"|\d{4}-\d\d-\d\dT[\d:.]+Z)/

/**
 * Marks up quoted texts and times of a sentence, so that text written from right to left does not reorder the words
 * around it, and no line breaks within a time. `timeWords` formats times; by default they stay as the server wrote
 * them.
 */
export function unbroken(sentence: string, timeWords = (time: string) => time): ReactNode[] {
  return sentence.split(quotedOrTime).map((part, at) => {
    if (at % 2 === 0) return part
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    return part.startsWith('"') ? <bdi key={at}>{part}</bdi> : <time key={at}>{timeWords(part)}</time>
  })
}

import type { ReactNode } from 'react'

interface SentenceTextProps {
  /** Undefined until the server has written it. */
  readonly text: string | undefined
  /** About as long, so that nothing moves when the sentence arrives. */
  readonly likely: string
}

/** A longer sentence, such as one with a stack trace, scrolls, so that it leaves room for what follows. */
const lengthMax = 600

/** A sentence of the server, or the place of one that is on its way. */
export function SentenceText({ text, likely }: SentenceTextProps) {
  const isLong = (text ?? likely).length > lengthMax
  return (
    // What scrolls must be reached by keys.
    <span aria-live="polite" {...(isLong ? { className: 'long-sentence', tabIndex: 0 } : {})}>
      {text === undefined ? <span className="keeps-place">{unbroken(likely)}</span> : unbroken(text)}
    </span>
  )
}

const quotedOrTime = /("(?:[^"\\]|\\.)*"|\d{4}-\d\d-\d\dT[\d:.]+Z)/

/**
 * Marks up quoted texts and times of a sentence: a text from right to left then does not reorder the words around it,
 * and no line breaks within a time. Times are written by `timeWords`, by default as the server wrote them.
 */
export function unbroken(sentence: string, timeWords = (time: string) => time): ReactNode[] {
  return sentence.split(quotedOrTime).map((part, at) => {
    if (at % 2 === 0) return part
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    return part.startsWith('"') ? <bdi key={at}>{part}</bdi> : <time key={at}>{timeWords(part)}</time>
  })
}

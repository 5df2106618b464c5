import { Button } from 'react-aria-components'

interface WaitingProps {
  /** Gives the place its size. */
  readonly className: string
  readonly words: string
}

/**
 * The place of an answer before it arrives. React replaces a component by the answer; a plain element it would reuse as
 * the first element of the answer, which would then seem to move.
 */
export function Waiting({ className, words }: WaitingProps) {
  return <div className={`skeleton ${className}`} role="status" aria-label={words} />
}

/** The place of a list before its first answer. */
export function WaitingList({ words }: { readonly words: string }) {
  return (
    <div className="waiting" role="status">
      <span className="visually-hidden">{words}</span>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((each) => (
        <div key={each} className="skeleton" />
      ))}
    </div>
  )
}

/** What is left of a search that was cancelled. */
export function Cancelled({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div className="notice" role="status">
      The search was cancelled.
      <Button className="button" onPress={onRetry}>
        Search again
      </Button>
    </div>
  )
}

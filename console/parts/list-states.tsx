import { Button } from 'react-aria-components'

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

import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { isSignedOut } from '../../app/session.tsx'
import { Fault } from './fault.tsx'
import { faultOf, type PagedList } from './show-more.tsx'

interface WaitingProps {
  /** The class that sets the size of the placeholder. */
  readonly className: string
  readonly words: string
}

/**
 * A placeholder until a response arrives. As a component it is replaced by the result; React would reuse a plain
 * element as the first element of the result, which would then seem to move.
 */
export function Waiting({ className, words }: WaitingProps) {
  return <div className={`skeleton ${className}`} role="status" aria-label={words} />
}

/** A placeholder until the first page of a list arrives. */
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

/**
 * Returns the content to show instead of the results of a search: the fault, a notice that it was cancelled, or `words`
 * while it is first read. Returns undefined if there are results, possibly those of the previous search.
 */
export function insteadOfAnswer(list: PagedList, words: string): ReactNode | undefined {
  const fault = faultOf(list)
  const read = () => void list.refetch()
  // The sign-in that covers the page explains it.
  if (fault !== null) return isSignedOut(fault) ? null : <Fault error={fault} retry={read} />
  if ((list.isPending || list.isPlaceholderData) && list.fetchStatus === 'idle') return <Cancelled onRetry={read} />
  return list.isPending ? <WaitingList words={words} /> : undefined
}

/** Says that a search was cancelled, and offers to repeat it. */
function Cancelled({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div className="notice" role="status">
      The search was cancelled.
      <Button className="button" onPress={onRetry}>
        Search again
      </Button>
    </div>
  )
}

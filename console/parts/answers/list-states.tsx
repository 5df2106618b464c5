import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { isSignedOut } from '../../app/session.tsx'
import { Fault } from './fault.tsx'
import { faultOf, type PagedList } from './show-more.tsx'

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

/**
 * Returns what is shown in place of the answer to a search: why it failed, that it was cancelled, or `words` while
 * it is read for the first time. Returns undefined if there is an answer, perhaps still that to the search before.
 */
export function insteadOfAnswer(list: PagedList, words: string): ReactNode | undefined {
  const fault = faultOf(list)
  const read = () => void list.refetch()
  // The sign-in that covers the page says why.
  if (fault !== null) return isSignedOut(fault) ? null : <Fault error={fault} retry={read} />
  if ((list.isPending || list.isPlaceholderData) && list.fetchStatus === 'idle') return <Cancelled onRetry={read} />
  return list.isPending ? <WaitingList words={words} /> : undefined
}

/** What is left of a search that was cancelled. */
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

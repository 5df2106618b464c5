import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { isSignedOut } from '../../app/session.tsx'
import { working } from '../working.ts'
import { Fault } from './fault.tsx'

/** A list that is read page by page. */
export type PagedList = Omit<UseInfiniteQueryResult, 'data'>

/** Returns why a list could not be read. A fault of its next page is shown by `ShowMore` instead. */
export function faultOf({ error, isFetchNextPageError }: PagedList): Error | null {
  return isFetchNextPageError ? null : error
}

interface ShowMoreProps {
  readonly list: PagedList
  readonly words?: string
}

/** The button that reads the next page of a list. If that fails, it offers a retry below the pages that were read. */
export function ShowMore({ list, words = 'Show more' }: ShowMoreProps) {
  const { error, hasNextPage, isFetchNextPageError, isFetchingNextPage, fetchNextPage } = list
  // After signing in, the whole list is read again.
  if (error !== null && isFetchNextPageError && !isFetchingNextPage && !isSignedOut(error)) {
    return <Fault error={error} retry={() => void fetchNextPage()} />
  }
  if (!hasNextPage) return null
  return (
    <Button className="button" onPress={() => void fetchNextPage()} {...working(isFetchingNextPage)}>
      {isFetchingNextPage ? 'Loading…' : words}
    </Button>
  )
}

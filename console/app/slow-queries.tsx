import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'

/** Seconds after which a query is reported as slow, and can be cancelled. */
export const slowSeconds = 2
const lookMs = 500

/** The `meta` of a query whose page shows itself how long it has been running. */
export const ownWaiting = { hasOwnWaiting: true }

/** Says how long the queries of the page have been running, cancels them, and repeats those without an answer. */
export function SlowQueries() {
  const client = useQueryClient()
  const { seconds, cancelled } = useWaiting()
  const [left, setLeft] = useState<readonly Query[]>([])
  const unanswered = left.filter((query) => cancelled.includes(query))
  const cancel = async () => {
    const running = runningOf(client.getQueryCache().getAll())
    setLeft(running)
    await Promise.all(running.map(({ queryKey }) => client.cancelQueries({ queryKey, exact: true })))
  }
  if (seconds >= slowSeconds) {
    return (
      <div className="slow-queries" data-state="running">
        <span role="status">Waiting for answers…</span>
        <span className="soft elapsed">{seconds} s</span>
        <Button className="button" onPress={() => void cancel()}>
          Cancel
        </Button>
      </div>
    )
  }
  if (unanswered.length === 0) return null
  return (
    <div className="slow-queries" data-state="cancelled">
      <span role="status">Cancelled: parts of this page have no answer.</span>
      <Button className="button" onPress={() => void Promise.allSettled(unanswered.map((query) => query.fetch()))}>
        Try again
      </Button>
    </div>
  )
}

function runningOf(queries: readonly Query[]): Query[] {
  return queries.filter((query) => query.state.fetchStatus === 'fetching' && isWatched(query))
}

function isWatched(query: Query): boolean {
  return query.isActive() && query.meta?.hasOwnWaiting !== true
}

interface Waiting {
  /** How long the oldest running query has been running. */
  readonly seconds: number
  /** Queries that are shown, have no answer and are not running. */
  readonly cancelled: readonly Query[]
}

/** Polls the queries of the page. */
function useWaiting(): Waiting {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<Waiting>({ seconds: 0, cancelled: [] })
  useEffect(() => {
    const starts = new Map<Query, number>()
    const look = () => {
      const queries = client.getQueryCache().getAll()
      const running = runningOf(queries)
      for (const query of starts.keys()) if (!running.includes(query)) starts.delete(query)
      for (const query of running) if (!starts.has(query)) starts.set(query, Date.now())
      const longestMs = running.length === 0 ? 0 : Date.now() - Math.min(...starts.values())
      const isCancelled = (query: Query) => {
        const { fetchStatus, status } = query.state
        return fetchStatus === 'idle' && status === 'pending' && isWatched(query)
      }
      const next = { seconds: Math.floor(longestMs / 1_000), cancelled: queries.filter(isCancelled) }
      setWaiting((before) => (isSame(before, next) ? before : next))
    }
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }, [client])
  return waiting
}

function isSame(left: Waiting, right: Waiting): boolean {
  const haveSame = left.cancelled.length === right.cancelled.length
  return left.seconds === right.seconds && haveSame && left.cancelled.every((query) => right.cancelled.includes(query))
}

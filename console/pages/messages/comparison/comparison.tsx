import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { type ComparisonKind, comparisonWords } from '../../../app/search.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Later } from '../../../parts/answers/later.tsx'
import { Running } from '../../../parts/answers/running.tsx'
import type { MessageRow } from '../../../parts/conditions/operators.ts'
import { Segments } from '../../../parts/forms/segments.tsx'
import type { TimeWindow } from '../../../parts/time/time.ts'
import type { MessageFilter } from '../message-query.ts'
import { comparisonKey, useComparison } from './comparison-query.ts'

const kinds = Object.entries(comparisonWords) as readonly [ComparisonKind, string][]

interface ComparisonProps {
  readonly filter: MessageFilter & TimeWindow
  readonly kind: ComparisonKind
  readonly onKind: (kind: ComparisonKind) => void
  readonly onFilter: (row: MessageRow) => void
}

/** Compares two sides of messages. A click turns a value into a condition. */
export function Comparison({ filter, kind, onKind, onFilter }: ComparisonProps) {
  const { data, error, refetch, fetchStatus } = useComparison(filter, kind)
  const queries = useQueryClient()
  const isRunning = fetchStatus !== 'idle'
  return (
    <section aria-label="Comparison" className="comparison">
      <div className="group-choice">
        <span className="soft">Compare</span>
        <Segments label="What is compared" value={kind} options={kinds} onChange={onKind} />
        {isRunning && (
          <Running
            key={JSON.stringify([kind, filter])}
            words="Comparing…"
            onCancel={() => void queries.cancelQueries({ queryKey: comparisonKey(filter, kind) })}
          />
        )}
      </div>
      {isRunning && data === undefined && <Waiting />}
      {!isRunning && error !== null && <Fault error={error} retry={() => void refetch()} />}
      {!isRunning && error === null && data === undefined && (
        <div className="notice" role="status">
          The comparison was cancelled.
          <Button className="button" onPress={() => void refetch()}>
            Compare again
          </Button>
        </div>
      )}
      {error === null && data !== undefined && (
        <Later name="difference" load={() => import('./difference.tsx')} waiting={<Waiting />}>
          {({ Difference }) => <Difference {...{ data, kind, onFilter }} />}
        </Later>
      )}
    </section>
  )
}

function Waiting() {
  return (
    <>
      <div className="compared-sides">
        <div className="skeleton" />
        <div className="skeleton" />
      </div>
      <div className="waiting comparison-waiting">
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((each) => (
          <div key={each} className="skeleton" />
        ))}
      </div>
    </>
  )
}

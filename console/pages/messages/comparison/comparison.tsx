import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { type ComparisonKind, comparisonWords } from '../../../app/search.ts'
import { counted } from '../../../parts/counted.ts'
import { Fault } from '../../../parts/fault.tsx'
import type { MessageRow } from '../../../parts/operators.ts'
import { Running } from '../../../parts/running.tsx'
import { Segments } from '../../../parts/segments.tsx'
import { unbroken } from '../../../parts/sentence-text.tsx'
import type { TimeWindow } from '../../../parts/time.ts'
import type { MessageFilter } from '../message-query.ts'
import { type ComparisonAnswer, comparisonKey, useComparison } from './comparison-query.ts'
import { KeyTable } from './key-table.tsx'
import { PairTable } from './pair-table.tsx'

const kinds = Object.entries(comparisonWords) as readonly [ComparisonKind, string][]

interface ComparisonProps {
  readonly filter: MessageFilter & TimeWindow
  readonly kind: ComparisonKind
  readonly onKind: (kind: ComparisonKind) => void
  readonly onFilter: (row: MessageRow) => void
}

/** What differs between two sides of messages. A value becomes a condition by a click. */
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
      {error === null && data !== undefined && <Difference {...{ data, kind, onFilter }} />}
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

interface DifferenceProps extends Pick<ComparisonProps, 'kind' | 'onFilter'> {
  readonly data: ComparisonAnswer
}

function Difference({ data, kind, onFilter }: DifferenceProps) {
  const { pairs, high_cardinality_keys, high_cardinality_key_count, compared } = data
  const isEmpty = compared.a.message_count === 0 || compared.b.message_count === 0
  const differing = pairs.filter(({ a, b }) => a.share !== b.share)
  return (
    <>
      <div className="compared-sides">
        <Side name="a" count={compared.a} summary={data.summary.a} />
        <Side name="b" count={compared.b} summary={data.summary.b} />
      </div>
      {isEmpty && <p className="notice">{whyNothing(data, kind)}</p>}
      {!isEmpty && differing.length === 0 && (
        <p className="notice">No value differs: each is equally frequent on both sides.</p>
      )}
      {!isEmpty && differing.length > 0 && (
        <>
          <PairTable pairs={differing} onFilter={onFilter} />
          <p className="soft">
            The shares of messages with a step that has the value. The largest differences are first; at most 50 are
            shown.
          </p>
        </>
      )}
      {!isEmpty && high_cardinality_keys.length > 0 && (
        <KeyTable keys={high_cardinality_keys} count={high_cardinality_key_count} onFilter={onFilter} />
      )}
    </>
  )
}

interface SideProps {
  readonly name: 'a' | 'b'
  readonly count: ComparisonAnswer['compared']['a']
  readonly summary: string
}

/** The messages of one side: how many, and which. */
function Side({ name, count, summary }: SideProps) {
  const { message_count, total_message_count } = count
  const newest = `the newest ${message_count.toLocaleString('en')} of ${counted(total_message_count, 'message')}`
  return (
    <div className={`card compared-side side-${name}`}>
      <strong>
        <span className="side-mark">{name.toUpperCase()}</span>{' '}
        {message_count < total_message_count ? newest : counted(total_message_count, 'message')}
      </strong>
      <p className="soft">{unbroken(summary)}</p>
    </div>
  )
}

/** Says why a side is empty. */
function whyNothing({ compared }: ComparisonAnswer, kind: ComparisonKind): string {
  const isA = compared.a.message_count === 0
  if (kind === 'others' && !isA) return 'Every message of the time range matches, so there are no others.'
  if (kind === 'failures') return isA ? 'None of these messages failed.' : 'All of these messages failed.'
  if (kind === 'slowest' && !isA) return 'All of these messages take equally long.'
  if (kind === 'before' && !isA) return 'No message of the time before matches.'
  return 'No message matches.'
}

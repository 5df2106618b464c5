import { usePreferences } from '../../../app/preferences.tsx'
import type { ComparisonKind } from '../../../app/search.ts'
import type { MessageRow } from '../../../parts/conditions/operators.ts'
import { unbroken } from '../../../parts/conditions/sentence-text.tsx'
import { counted } from '../../../parts/counted.ts'
import { formatExactTime } from '../../../parts/time/time.ts'
import type { ComparisonAnswer } from './comparison-query.ts'
import { KeyTable } from './key-table.tsx'
import { PairTable } from './pair-table.tsx'

interface DifferenceProps {
  readonly data: ComparisonAnswer
  readonly kind: ComparisonKind
  readonly onFilter: (row: MessageRow) => void
}

/** Shows the two sides of a comparison and their differences. */
export function Difference({ data, kind, onFilter }: DifferenceProps) {
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

/** Describes the messages of one side and their number. */
function Side({ name, count, summary }: SideProps) {
  const { isUtc } = usePreferences()
  const { message_count, total_message_count } = count
  const newest = `the newest ${message_count.toLocaleString('en')} of ${counted(total_message_count, 'message')}`
  return (
    <div className={`card compared-side side-${name}`}>
      <strong>
        <span className="side-mark">{name.toUpperCase()}</span>{' '}
        {message_count < total_message_count ? newest : counted(total_message_count, 'message')}
      </strong>
      <p className="soft">{unbroken(summary, (time) => formatExactTime(time, isUtc))}</p>
    </div>
  )
}

/** Returns why a side is empty. */
function whyNothing({ compared }: ComparisonAnswer, kind: ComparisonKind): string {
  const isA = compared.a.message_count === 0
  if (kind === 'others' && !isA) return 'Every message of the time range matches, so there are no others.'
  if (kind === 'failures') return isA ? 'None of these messages failed.' : 'All of these messages failed.'
  if (kind === 'slowest' && !isA) return 'All of these messages take equally long.'
  if (kind === 'before' && !isA) return 'No message of the time before matches.'
  return 'No message matches.'
}

import { fractionInThrees } from '../time/time.ts'
import { conditionWords, relationSentence, type WordedCondition, type WordedRelation } from './condition-words.ts'
import type { Subject } from './operators.ts'

interface LikelyFilter {
  readonly conditions?: readonly WordedCondition[]
  readonly relations?: readonly WordedRelation[]
  readonly status?: string
  /** Both are absent in a relative window. */
  readonly from?: string
  readonly to?: string
}

/**
 * Returns a sentence of similar length to the one that the server will write. It is never visible: it reserves space,
 * so that nothing moves when the sentence arrives.
 */
export function likelySentence(noun: string, subject: Subject, filter: LikelyFilter): string {
  const { conditions = [], relations = [], status, from, to } = filter
  const clauses = [
    ...conditions.map((each) => conditionWords(each, subject)),
    ...relations.map((each) => relationSentence(each, '10 minutes')),
  ]
  const filtered = `${status === undefined ? '' : ` with status ${status}`}${clauses.length === 0 ? '' : ' where '}`
  const window =
    from === undefined || to === undefined ? 'in the last 24 hours' : `from ${spoken(from)} to ${spoken(to)}`
  return `${noun}${filtered}${clauses.join(' and ')}, ${window}.`
}

/** Formats a time as in sentences, with no fraction of a second or with three, six or nine digits. */
function spoken(time: string): string {
  const fraction = fractionInThrees(time)
  return `${time.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}${fraction && `.${fraction}`}Z`
}

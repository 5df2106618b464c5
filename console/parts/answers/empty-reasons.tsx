import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { usePreferences } from '../../app/preferences.tsx'
import { describeWindow, type WindowSearch } from '../time/time.ts'
import type { WiderSearch } from './wider-searches.ts'

interface EmptyReasonsProps<Search> {
  /** The search that found nothing. */
  readonly search: Search & WindowSearch
  /**
   * The noun for one result of the search, such as `log record`, and the one for those of others, such as `records`.
   */
  readonly noun: string
  readonly found: string
  /** The search without each of its conditions, and then in wider time ranges, the shortest first. */
  readonly relaxed: readonly WiderSearch<Search>[]
  readonly wider: readonly WiderSearch<Search>[]
  /** Whether each of these searches finds something, in the same order; undefined until it is known. */
  readonly answers: readonly (boolean | 'failed' | undefined)[]
  readonly onChange: (search: Search) => void
  /** The content if no search finds anything. */
  readonly children?: ReactNode
}

/** Explains an empty result: which single condition excludes everything, and which wider time range has results. */
export function EmptyReasons<Search>(props: EmptyReasonsProps<Search>) {
  const { search, noun, found, relaxed, wider, answers, onChange, children } = props
  const { isUtc } = usePreferences()
  const nearest = wider.find((_, index) => answers[relaxed.length + index] === true)
  const excluding = relaxed.filter((_, index) => answers[index] === true)
  const widest = wider.at(-1)?.words ?? `the time range, ${describeWindow(search, isUtc).toLowerCase()}`
  const [isSearching, isUnknown] = [answers.includes(undefined), answers.includes('failed')]
  const isKnown = !isSearching && !isUnknown && nearest === undefined
  const isNothing = isKnown && relaxed.length === 0
  return (
    <div className="notice empty" role="status">
      <div>
        <strong>{isNothing ? `No ${noun} has arrived in ${widest}.` : `No ${noun} matches.`}</strong>
        {excluding.map((each) => (
          <p key={each.words}>
            Without <bdi>{each.words}</bdi> there are {found}.{' '}
            <Button className="button" onPress={() => onChange(each.search)}>
              Remove it
            </Button>
          </p>
        ))}
        {nearest !== undefined && (
          <p>
            In {nearest.words} there are {found}.{' '}
            <Button className="button" onPress={() => onChange(nearest.search)}>
              Widen the time range
            </Button>
          </p>
        )}
        {isNothing && children}
        {isSearching && <p className="soft">Looking for the condition that excludes everything…</p>}
        {isUnknown && <p className="soft">Not every condition could be checked, because the server refused.</p>}
        {isKnown && !isNothing && excluding.length === 0 && (
          <p className="soft">
            Removing a single condition does not help, and no {noun} in {widest} matches.
          </p>
        )}
      </div>
    </div>
  )
}

import { type ReactNode, useMemo } from 'react'
import { Button, Input, SearchField } from 'react-aria-components'
import { usePreferences } from '../../app/preferences.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { counted } from '../../parts/counted.ts'
import { Choice } from '../../parts/forms/choice.tsx'
import { ServiceLabel } from '../../parts/service-label.tsx'
import { SpanName } from '../../parts/span-name.tsx'
import { formatNs } from '../../parts/time/duration.ts'
import { formatTime, zoneName } from '../../parts/time/time.ts'
import { visibleText } from '../../parts/value-text.ts'
import { type DetachedReason, type Found, rootsMax } from './message-data.ts'
import { rootsOf, skewedPositions, type Tree } from './tree.ts'

const servicesShown = 12

const levels = [
  ['all', 'all levels'],
  ['1', '1 level'],
  ['2', '2 levels'],
  ['3', '3 levels'],
  ['5', '5 levels'],
] as const

interface MessageHeaderProps {
  readonly tree: Tree
  /** The steps that `n` and `p` visit: the found ones during a search, otherwise the matched ones. */
  readonly marked: ReadonlySet<number>
  /** The name for the marked steps. */
  readonly kind: 'found step' | 'matched step' | 'step'
  readonly found: Found
  readonly detached: ReadonlyMap<number, DetachedReason>
  readonly selected: number | undefined
  readonly find: string
  readonly isFocused: boolean
  readonly onSelect: (position: number) => void
  readonly onFind: (text: string) => void
  readonly onStep: (direction: 1 | -1) => void
  /** The levels that are shown: `all`, a number, or `some` after steps were collapsed one by one. */
  readonly level: string
  readonly onLevel: (count: number | undefined) => void
  readonly onFocus: () => void
}

/** Summarizes the message, and holds the tools of its waterfall. */
export function MessageHeader(props: MessageHeaderProps) {
  const { tree, detached, selected, found, onSelect } = props
  const { isUtc } = usePreferences()
  const failed = useMemo(() => tree.isError.flatMap((isError, position) => (isError ? [position] : [])), [tree])
  const skewed = useMemo(() => skewedPositions(tree), [tree])
  const walk = { selected, onSelect }
  const rest = tree.services.length - servicesShown
  return (
    <header className="message-header">
      <h2>
        <span className="soft" title={tree.serviceOf(0)}>
          {visibleText(tree.serviceOf(0))}
        </span>{' '}
        <SpanName name={tree.nameOf(0)} />
      </h2>
      <p className="message-facts">
        <span className="mono">
          {formatTime(tree.startedAt, isUtc, 3)} {zoneName(isUtc)}
        </span>
        <span>{formatNs(tree.durationNs)}</span>
        <span>{counted(tree.size, 'step')}</span>
        <Walk {...walk} positions={failed}>
          <span className="failed-text">{failed.length.toLocaleString('en')} failed</span>
        </Walk>
        <Detached {...walk} tree={tree} detached={detached} />
        <Walk {...walk} positions={skewed}>
          {counted(skewed.length, 'step')} started before the parent: clocks differ or work was queued
        </Walk>
      </p>
      <p className="message-services">
        {tree.services.slice(0, servicesShown).map((service) => (
          <ServiceLabel key={service} name={service} title={service} />
        ))}
        {rest > 0 && <span className="soft">and {counted(rest, 'more service')}</span>}
      </p>
      <Tools {...props} />
      {found.error !== null && <Fault error={found.error} retry={() => void found.refetch()} />}
    </header>
  )
}

interface WalkProps extends Pick<MessageHeaderProps, 'selected' | 'onSelect'> {
  /** The steps that the text is about, in tree order. */
  readonly positions: readonly number[]
  readonly children: ReactNode
}

/** A text about some steps that is a button to the next of them. Renders nothing without steps. */
function Walk({ positions, selected, onSelect, children }: WalkProps) {
  if (positions.length === 0) return null
  const at = positions.indexOf(selected ?? -1)
  const next = positions.find((each) => each > (selected ?? -1)) ?? positions[0]
  return (
    <Button className="link walk" onPress={() => next !== undefined && onSelect(next)}>
      {children}
      {at >= 0 && positions.length > 1 && (
        <span className="walk-place">
          {(at + 1).toLocaleString('en')} of {positions.length.toLocaleString('en')}
        </span>
      )}
    </Button>
  )
}

type DetachedProps = Pick<MessageHeaderProps, 'tree' | 'detached' | 'selected' | 'onSelect'>

/** Explains once why the message is in several pieces. */
function Detached({ tree, detached, ...walk }: DetachedProps) {
  const positionsOf = (reason: DetachedReason) =>
    [...detached].flatMap(([position, each]) => (each === reason ? [position] : []))
  const [missing, cycles] = [positionsOf('missing parent'), positionsOf('cycle')]
  const roots = rootsOf(tree).length - detached.size
  const unknown = Math.max(rootsOf(tree).length - rootsMax, 0)
  return (
    <>
      <Walk {...walk} positions={missing}>
        {counted(missing.length, 'step')} without the parent, which was lost or has not arrived yet
      </Walk>
      <Walk {...walk} positions={cycles}>
        {counted(cycles.length, 'cycle')}, shown from the first step
      </Walk>
      {unknown === 0 && roots > 1 && <span>{roots.toLocaleString('en')} steps begin the message</span>}
      {unknown > 0 && (
        <span>
          of {(rootsMax + unknown).toLocaleString('en')} steps at the top, the first {rootsMax} were looked at
        </span>
      )}
    </>
  )
}

function Tools(props: MessageHeaderProps) {
  const { marked, kind, found, selected, find, isFocused, level, onFind, onStep, onLevel, onFocus } = props
  const none = kind === 'found step' ? 'nothing found' : 'no matched steps'
  const place = [...marked].filter((each) => each <= (selected ?? -1)).length
  return (
    <div className="message-tools">
      <SearchField
        aria-label="Find steps"
        value={find}
        onChange={onFind}
        // Enter selects the first found step, and then the next.
        onSubmit={(text) => text !== '' && !found.isSearching && onStep(1)}
        data-first-field
      >
        <Input className="field" placeholder="Find a name, or key=value" />
      </SearchField>
      <span className="soft" aria-live="polite">
        {found.isSearching && 'Searching…'}
        {!found.isSearching &&
          (marked.size === 0 ? none : `${place.toLocaleString('en')} of ${counted(marked.size, kind)}`)}
      </span>
      <Button className="button" isDisabled={marked.size === 0} onPress={() => onStep(-1)}>
        Previous <kbd>p</kbd>
      </Button>
      <Button className="button" isDisabled={marked.size === 0} onPress={() => onStep(1)}>
        Next <kbd>n</kbd>
      </Button>
      <Choice
        label="Levels shown"
        value={level}
        options={level === 'some' ? [['some', 'some levels'], ...levels] : levels}
        onChange={(next) => next !== 'some' && onLevel(next === 'all' ? undefined : Number(next))}
      />
      <Button className="button" isDisabled={selected === undefined} onPress={onFocus}>
        {isFocused ? 'Show the whole message' : 'Focus on this step'}
      </Button>
    </div>
  )
}

import { Button, Input, SearchField } from 'react-aria-components'
import { usePreferences } from '../../app/preferences.tsx'
import { Choice } from '../../parts/choice.tsx'
import { counted } from '../../parts/counted.ts'
import { formatNs } from '../../parts/duration.ts'
import { serviceColour } from '../../parts/service-colour.ts'
import { formatTime, zoneName } from '../../parts/time.ts'
import { type DetachedReason, rootsMax } from './message-data.ts'
import { countSkewed, rootsOf, type Tree } from './tree.ts'
import { NoName } from './waterfall.tsx'

const servicesShown = 8

const levels = [
  ['all', 'all levels'],
  ['1', '1 level'],
  ['2', '2 levels'],
  ['3', '3 levels'],
  ['5', '5 levels'],
] as const

interface MessageHeaderProps {
  readonly tree: Tree
  /** The steps that `n` and `p` walk: the found ones while a person looks for something, else the matched ones. */
  readonly marked: ReadonlySet<number>
  readonly isFound: boolean
  readonly detached: ReadonlyMap<number, DetachedReason>
  readonly selected: number | undefined
  readonly find: string
  readonly isFocused: boolean
  readonly onFind: (text: string) => void
  readonly onStep: (direction: 1 | -1) => void
  readonly onLevel: (depth: number | undefined) => void
  readonly onFocus: () => void
}

/** What the message is as a whole, and the tools of its waterfall. */
export function MessageHeader(props: MessageHeaderProps) {
  const { tree, detached } = props
  const { isUtc } = usePreferences()
  const errors = tree.isError.filter(Boolean).length
  const skewed = countSkewed(tree)
  const rest = tree.services.length - servicesShown
  return (
    <header className="message-header">
      <h2>
        <span className="soft">{tree.serviceOf(0)}</span> {tree.nameOf(0) || <NoName />}
      </h2>
      <p className="message-facts">
        <span className="mono">
          {formatTime(tree.startedAt, isUtc, 3)} {zoneName(isUtc)}
        </span>
        <span>{formatNs(tree.durationNs)}</span>
        <span>{counted(tree.size, 'step')}</span>
        {errors > 0 && <span className="failed-text">{errors.toLocaleString('en')} failed</span>}
        <Detached tree={tree} detached={detached} />
        {skewed > 0 && (
          <span>{counted(skewed, 'step')} started before the parent: clocks differ or work was queued</span>
        )}
      </p>
      <p className="message-services">
        {tree.services.slice(0, servicesShown).map((service) => (
          <span key={service}>
            <span className="service-dot" style={{ background: serviceColour(service) }} />
            {service}
          </span>
        ))}
        {rest > 0 && <span className="soft">and {counted(rest, 'more service')}</span>}
      </p>
      <Tools {...props} />
    </header>
  )
}

/** Says once why the message is in several pieces. */
function Detached({ tree, detached }: Pick<MessageHeaderProps, 'tree' | 'detached'>) {
  const reasons = [...detached.values()]
  const missing = reasons.filter((each) => each === 'missing parent').length
  const cycles = reasons.length - missing
  const roots = rootsOf(tree).length - detached.size
  const unknown = Math.max(rootsOf(tree).length - rootsMax, 0)
  return (
    <>
      {missing > 0 && <span>{counted(missing, 'step')} without the parent, which was lost or has not arrived yet</span>}
      {cycles > 0 && <span>{counted(cycles, 'cycle')}, shown from the first step</span>}
      {unknown === 0 && roots > 1 && <span>{roots.toLocaleString('en')} steps begin the message</span>}
      {unknown > 0 && (
        <span>
          of {(rootsMax + unknown).toLocaleString('en')} steps at the top, the first {rootsMax} were looked at
        </span>
      )}
    </>
  )
}

function Tools({ marked, isFound, selected, find, isFocused, onFind, onStep, onLevel, onFocus }: MessageHeaderProps) {
  const place = [...marked].filter((each) => each <= (selected ?? -1)).length
  return (
    <div className="message-tools">
      <SearchField aria-label="Find steps" value={find} onChange={onFind} data-first-field>
        <Input className="field" placeholder="Find a name, or key=value" />
      </SearchField>
      <span className="soft" aria-live="polite">
        {marked.size === 0
          ? isFound
            ? 'nothing found'
            : 'no matched steps'
          : `${place} of ${counted(marked.size, isFound ? 'found step' : 'matched step')}`}
      </span>
      <Button className="button" isDisabled={marked.size === 0} onPress={() => onStep(-1)}>
        Previous <kbd>p</kbd>
      </Button>
      <Button className="button" isDisabled={marked.size === 0} onPress={() => onStep(1)}>
        Next <kbd>n</kbd>
      </Button>
      <Choice
        label="Levels shown"
        value="all"
        options={levels}
        onChange={(level) => onLevel(level === 'all' ? undefined : Number(level) - 1)}
      />
      <Button className="button" isDisabled={selected === undefined} onPress={onFocus}>
        {isFocused ? 'Show the whole message' : 'Focus on this step'}
      </Button>
    </div>
  )
}

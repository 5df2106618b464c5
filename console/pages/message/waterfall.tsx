import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { DownIcon, ErrorIcon, RightIcon } from '../../parts/icons.tsx'
import { serviceColour } from '../../parts/service-colour.ts'
import { SpanName } from '../../parts/span-name.tsx'
import { formatNs } from '../../parts/time/duration.ts'
import { visibleText } from '../../parts/value-text.ts'
import type { DetachedReason } from './message-data.ts'
import { indentedDepthMax } from './names-width.tsx'
import { nsBeforeParent, type Tree } from './tree.ts'

const rowPixels = 26

/** The part of the message that the bars show, in nanoseconds from its start. */
export interface Zoom {
  readonly fromNs: number
  readonly toNs: number
}

export interface WaterfallProps {
  readonly tree: Tree
  /** The positions of the rows, in tree order. */
  readonly shown: readonly number[]
  readonly collapsed: ReadonlySet<number>
  readonly matched: ReadonlySet<number>
  /** The positions that a search finds; the others are dimmed. Undefined without a search. */
  readonly found: ReadonlySet<number> | undefined
  readonly critical: ReadonlySet<number>
  readonly detached: ReadonlyMap<number, DetachedReason>
  readonly selected: number | undefined
  readonly zoom: Zoom
  readonly onSelect: (position: number) => void
  readonly onToggle: (position: number) => void
}

/** Draws the steps as rows with bars. Only visible rows are elements, so 100,000 steps scroll like ten. */
export function Waterfall(props: WaterfallProps) {
  const { tree, shown, selected, onSelect, onToggle, collapsed } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: 16,
    useFlushSync: false,
  })
  const selectedRow = selected === undefined ? -1 : shown.indexOf(selected)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll only when the selection moves
  useEffect(() => {
    if (selectedRow >= 0) rows.scrollToIndex(selectedRow, { align: 'center' })
  }, [selectedRow])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: selectedRow + 1, ArrowUp: selectedRow - 1, Home: 0, End: shown.length - 1 }[event.key]
    const isOpen = selected !== undefined && (tree.ends[selected] ?? 0) > selected + 1 && !collapsed.has(selected)
    const above = event.key === 'ArrowLeft' && !isOpen ? (tree.parents[selected ?? -1] ?? -1) : -1
    const below = event.key === 'ArrowRight' && isOpen ? selectedRow + 1 : undefined
    // Ancestors of a focused subtree are not shown.
    const position = shown[next ?? below ?? shown.indexOf(above)]
    if (position !== undefined) onSelect(position)
    else if (isOpen && event.key === 'ArrowLeft') onToggle(selected)
    else if (selected !== undefined && event.key === 'ArrowRight' && collapsed.has(selected)) onToggle(selected)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={scroller}
      className="waterfall"
      role="tree"
      aria-label="Steps of the message"
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...(selected === undefined ? {} : { 'aria-activedescendant': `step-${selected}` })}
    >
      <div className="waterfall-rows" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const position = shown[index]
          if (position === undefined) return null
          return <Step key={tree.spanIds[position]} {...props} position={position} top={start} />
        })}
      </div>
    </div>
  )
}

interface StepProps extends WaterfallProps {
  readonly position: number
  readonly top: number
}

/** Memoized, so that scrolling renders only the rows that come into view. */
const Step = memo(function Step({ position, top, ...props }: StepProps) {
  const { tree, collapsed, matched, found, critical, selected, zoom, onSelect } = props
  const depth = tree.depths[position] ?? 0
  const [start, duration] = [tree.starts[position] ?? 0, tree.durations[position] ?? 0]
  const hasChildren = (tree.ends[position] ?? 0) > position + 1
  const isCollapsed = collapsed.has(position)
  const isError = tree.isError[position] === true
  const service = tree.serviceOf(position)
  const classes = ['step', matched.has(position) && 'matched', found?.has(position) === false && 'dimmed']
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
    <div
      id={`step-${position}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      // Only visible rows are in the document, so a screen reader cannot count the steps.
      aria-posinset={tree.siblings.places[position]}
      aria-setsize={tree.siblings.counts[position]}
      aria-selected={position === selected}
      {...(hasChildren ? { 'aria-expanded': !isCollapsed } : {})}
      className={classes.filter(Boolean).join(' ')}
      style={{ transform: `translateY(${top}px)`, height: rowPixels }}
      onClick={() => onSelect(position)}
    >
      <StepName {...props} position={position} />
      <Bar
        start={start}
        duration={duration}
        zoom={zoom}
        colour={serviceColour(service)}
        isCritical={critical.has(position)}
        isError={isError}
      />
    </div>
  )
})

function StepName({ tree, position, collapsed, matched, detached, onToggle }: Omit<StepProps, 'top'>) {
  const depth = tree.depths[position] ?? 0
  const below = (tree.ends[position] ?? 0) - position - 1
  const isCollapsed = collapsed.has(position)
  const isError = tree.isError[position] === true
  const beforeNs = nsBeforeParent(tree, position)
  const [service, name] = [tree.serviceOf(position), tree.nameOf(position)]
  return (
    <div
      className="step-name"
      style={{ paddingLeft: `calc(6px + var(--indent) * ${Math.min(depth, indentedDepthMax)})` }}
    >
      <span className="step-toggle" aria-hidden="true">
        {below > 0 && (
          // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
          <span
            onClick={(event) => {
              event.stopPropagation()
              onToggle(position)
            }}
          >
            {isCollapsed ? <RightIcon /> : <DownIcon />}
          </span>
        )}
      </span>
      {depth > indentedDepthMax && <span className="step-depth">{depth}</span>}
      <span className="service-dot" style={{ background: serviceColour(service) }} />
      {isError && (
        <span className="step-error">
          <ErrorIcon />
        </span>
      )}
      <span className="visually-hidden">
        {visibleText(service)}
        {isError && ', failed'}
        {matched.has(position) && ', matched'}
      </span>
      <span className="step-label" title={`${service}: ${name}`}>
        <SpanName name={name} />
      </span>
      {service !== tree.serviceOf(tree.parents[position] ?? -1) && (
        <span className="step-service soft" aria-hidden="true">
          {visibleText(service)}
        </span>
      )}
      {detached.has(position) && <small className="step-note">{detached.get(position)}</small>}
      {beforeNs > 0 && <small className="step-note">{formatNs(beforeNs)} before the parent</small>}
      {isCollapsed && <small className="soft">+{below.toLocaleString('en')}</small>}
    </div>
  )
}

interface BarProps {
  readonly start: number
  readonly duration: number
  readonly zoom: Zoom
  readonly colour: string
  readonly isCritical: boolean
  readonly isError: boolean
}

/** The width, in percent, that the longest duration needs. */
const textPercent = 18

/**
 * Returns the position of the duration: right of the bar, else left of it, else over its end. In a window that is too
 * narrow for the text, it stays within the row.
 */
function textPlace(left: number, right: number) {
  const room = '100% - var(--bar-text-width)'
  if (right < 100 - textPercent) return { left: `min(${Math.max(right, 0)}%, ${room})` }
  if (left >= textPercent) return { right: `min(${100 - left}%, ${room})` }
  return { right: `calc(${100 - Math.min(right, 100)}% + 6px)` }
}

function Bar({ start, duration, zoom: { fromNs, toNs }, colour, isCritical, isError }: BarProps) {
  const span = toNs - fromNs
  const [left, right] = [((start - fromNs) / span) * 100, ((start + duration - fromNs) / span) * 100]
  const isOutside = right < 0 || left > 100
  const shownLeft = Math.min(Math.max(left, 0), 100)
  const width = Math.max(Math.min(right, 100) - shownLeft, 0)
  const isOver = right >= 100 - textPercent && shownLeft < textPercent
  return (
    <div className="step-time">
      {!isOutside && (
        <div
          className={`bar${isCritical ? ' critical' : ''}${isError ? ' failed' : ''}`}
          // Keeps the shortest step at the very end visible.
          style={{ left: `min(${shownLeft}%, 100% - 2px)`, width: `${width}%`, background: colour }}
        />
      )}
      {!isOutside && (
        <span className={isOver ? 'bar-text inside' : 'bar-text'} style={textPlace(shownLeft, right)}>
          {formatNs(duration)}
        </span>
      )}
    </div>
  )
}

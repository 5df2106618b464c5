import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useShownTheme } from '../../parts/chart/palette.ts'
import { formatNs } from '../../parts/time/duration.ts'
import { coveredRuns } from './covered-runs.ts'
import type { Tree } from './tree.ts'
import type { Zoom } from './waterfall.tsx'

const heightPixels = 56
/** Dragging over fewer pixels counts as a click, which shows the whole message again. */
const dragPixelsMin = 4
const ticks = [0, 0.25, 0.5, 0.75]
/** The number of parts of the message; an arrow key moves by one of them. */
const keySteps = 50

interface MinimapProps {
  readonly tree: Tree
  readonly matched: ReadonlySet<number>
  readonly zoom: Zoom
  readonly onZoom: (zoom: Zoom) => void
}

/**
 * Shows all steps of the message at a reduced height. Dragging over it zooms the bars below into a part of the time,
 * and so do the arrow keys with Shift and Enter.
 */
export function Minimap({ tree, matched, zoom, onZoom }: MinimapProps) {
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  /** Zooms into the selected part, or shows the whole message again. */
  const finish = (isPart: boolean) => {
    onZoom(isPart ? { fromNs: from * tree.totalNs, toNs: to * tree.totalNs } : { fromNs: 0, toNs: tree.totalNs })
    setDrag(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextShare(event.key, drag?.to)
    if (next !== undefined) setDrag({ from: event.shiftKey ? (drag?.from ?? next) : next, to: next })
    else if (event.key === 'Enter') finish(from !== to && drag !== undefined)
    else if (event.key === 'Escape') finish(false)
    else return
    event.preventDefault()
  }
  const shareAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(Math.max((clientX - left) / width, 0), 1)
  }
  const isZoomed = zoom.fromNs > 0 || zoom.toNs < tree.totalNs
  const [from, to] = drag
    ? [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)]
    : [zoom.fromNs / tree.totalNs, zoom.toNs / tree.totalNs]
  return (
    <div
      className="minimap"
      role="slider"
      tabIndex={0}
      aria-label="All steps over time. Arrow keys move, with Shift they select, Enter zooms, and Escape shows all."
      aria-valuemin={0}
      aria-valuemax={keySteps}
      aria-valuenow={Math.round((drag?.to ?? from) * keySteps)}
      aria-valuetext={`${formatNs(from * tree.totalNs)} to ${formatNs(to * tree.totalNs)}`}
      onKeyDown={onKeyDown}
      onBlur={() => setDrag(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: shareAt(event), to: shareAt(event) })
      }}
      onPointerMove={(event) => {
        if (drag && event.currentTarget.hasPointerCapture(event.pointerId)) setDrag({ ...drag, to: shareAt(event) })
      }}
      onPointerUp={({ currentTarget }) => {
        if (drag) finish((to - from) * currentTarget.clientWidth > dragPixelsMin)
      }}
      onPointerCancel={() => setDrag(undefined)}
    >
      <Steps tree={tree} matched={matched} />
      {(isZoomed || drag) && (
        <>
          <div className="minimap-shade" style={{ left: 0, width: `${from * 100}%` }} />
          <div className="minimap-shade" style={{ left: `${to * 100}%`, right: 0 }} />
          {drag && <div className="minimap-cursor" style={{ left: `${drag.to * 100}%` }} />}
        </>
      )}
    </div>
  )
}

function Steps({ tree, matched }: Pick<MinimapProps, 'tree' | 'matched'>) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useShownTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const redraw = () => draw(element, tree, matched)
    const observer = new ResizeObserver(redraw)
    observer.observe(element)
    return () => observer.disconnect()
  }, [tree, matched, theme])
  return <canvas ref={canvas} height={heightPixels} />
}

/** Returns the position to which a key moves, as a share of the message; undefined for any other key. */
function nextShare(key: string, current: number | undefined): number | undefined {
  const step = 1 / keySteps
  const next = { ArrowLeft: (current ?? 1) - step, ArrowRight: (current ?? 0) + step, Home: 0, End: 1 }[key]
  return next === undefined ? undefined : Math.min(Math.max(next, 0), 1)
}

/** The time axis of the bars. */
export function TimeAxis({ zoom: { fromNs, toNs } }: { readonly zoom: Zoom }) {
  return (
    <div className="time-axis" aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick} style={{ left: `${tick * 100}%` }}>
          {formatNs(fromNs + (toNs - fromNs) * tick)}
        </span>
      ))}
    </div>
  )
}

/**
 * Draws a line of pixels for each step, or for the steps that share it, because 100,000 rectangles would block the
 * page. Within a line, matched steps are drawn over the others, and failed ones over all.
 */
function draw(element: HTMLCanvasElement, tree: Tree, matched: ReadonlySet<number>): void {
  const width = Math.round(element.clientWidth * window.devicePixelRatio)
  const height = Math.round(heightPixels * window.devicePixelRatio)
  element.width = width
  element.height = height
  const context = element.getContext('2d')
  if (context === null) return
  const style = getComputedStyle(element)
  const kinds = ['--line-strong', '--match', '--error'].map((name) => ({
    colour: style.getPropertyValue(name),
    /** The number of steps that begin at each pixel minus those that end there. */
    changes: new Int32Array(width + 1),
  }))
  const lines = Math.min(tree.size, height)
  const lineHeight = height / lines
  const drawnHeight = tree.size > height ? lineHeight : Math.max(lineHeight - 0.5, 0.75)
  const pixelsPerNs = width / tree.totalNs
  for (let line = 0, step = 0; line < lines; line++) {
    for (; step * lines < (line + 1) * tree.size; step++) {
      const changes = kinds[tree.isError[step] ? 2 : matched.has(step) ? 1 : 0]?.changes
      if (changes === undefined) continue
      const start = tree.starts[step] ?? 0
      const left = Math.min(Math.floor(start * pixelsPerNs), width - 1)
      const right = Math.min(Math.max(Math.round((start + (tree.durations[step] ?? 0)) * pixelsPerNs), left + 1), width)
      changes[left] = (changes[left] ?? 0) + 1
      changes[right] = (changes[right] ?? 0) - 1
    }
    for (const { colour, changes } of kinds) {
      context.fillStyle = colour
      for (const [left, right] of coveredRuns(changes)) {
        context.fillRect(left, line * lineHeight, right - left, drawnHeight)
      }
      changes.fill(0)
    }
  }
}

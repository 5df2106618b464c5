import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { usePreferences } from '../../app/preferences.tsx'
import { formatNs } from '../../parts/duration.ts'
import { coveredRuns } from './covered-runs.ts'
import type { Tree } from './tree.ts'
import type { Zoom } from './waterfall.tsx'

const heightPixels = 56
/** Dragging less than this many pixels is a click, which shows the whole message again. */
const dragPixelsMin = 4
const ticks = [0, 0.25, 0.5, 0.75]

interface MinimapProps {
  readonly tree: Tree
  readonly matched: ReadonlySet<number>
  readonly zoom: Zoom
  readonly onZoom: (zoom: Zoom) => void
}

/** Draws all steps of the message in little height. Dragging over it zooms the bars below into a part of its time. */
export function Minimap({ tree, matched, zoom, onZoom }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { theme } = usePreferences()
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const redraw = () => draw(element, tree, matched)
    const observer = new ResizeObserver(redraw)
    observer.observe(element)
    return () => observer.disconnect()
  }, [tree, matched, theme])
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
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: shareAt(event), to: shareAt(event) })
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: shareAt(event) })}
      onPointerUp={(event) => {
        const isDrag = drag && Math.abs(drag.to - drag.from) * event.currentTarget.clientWidth > dragPixelsMin
        onZoom(isDrag ? { fromNs: from * tree.totalNs, toNs: to * tree.totalNs } : { fromNs: 0, toNs: tree.totalNs })
        setDrag(undefined)
      }}
    >
      <canvas ref={canvas} height={heightPixels} aria-label="All steps over time" role="img" />
      {(isZoomed || drag) && (
        <>
          <div className="minimap-shade" style={{ left: 0, width: `${from * 100}%` }} />
          <div className="minimap-shade" style={{ left: `${to * 100}%`, right: 0 }} />
        </>
      )}
    </div>
  )
}

/** The times that the bars are drawn against. */
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
 * Draws a line of pixels for each step, or for the steps that share it: 100,000 rectangles would block the page. In a
 * line, matched steps are drawn over the others, and failed ones over all.
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
    /** The number of steps that begin at each pixel less those that end there. */
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

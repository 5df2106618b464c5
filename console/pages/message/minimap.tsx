import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { usePreferences } from '../../app/preferences.tsx'
import { formatNs } from '../../parts/duration.ts'
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

function draw(element: HTMLCanvasElement, tree: Tree, matched: ReadonlySet<number>): void {
  const scale = window.devicePixelRatio
  const width = element.clientWidth * scale
  const height = heightPixels * scale
  element.width = width
  element.height = height
  const context = element.getContext('2d')
  if (context === null) return
  const style = getComputedStyle(element)
  const [plain, error, match] = ['--line-strong', '--error', '--match'].map((name) => style.getPropertyValue(name))
  const rowHeight = Math.max(height / tree.size, 1)
  for (let i = 0; i < tree.size; i++) {
    const left = ((tree.starts[i] ?? 0) / tree.totalNs) * width
    const length = Math.max(((tree.durations[i] ?? 0) / tree.totalNs) * width, 1)
    context.fillStyle = (tree.isError[i] ? error : matched.has(i) ? match : plain) ?? 'gray'
    context.fillRect(left, (i / tree.size) * height, length, Math.max(rowHeight - 0.5, 0.75))
  }
}

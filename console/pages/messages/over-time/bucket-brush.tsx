import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { usePreferences } from '../../../app/preferences.tsx'
import { positionAfterKey } from '../../../parts/chart/arrow-keys.ts'
import { timeTicks } from '../../../parts/chart/ticks.ts'
import type { TimeWindow } from '../../../parts/time/time.ts'
import { describeBucket, type Histogram, windowOfBuckets } from './histogram.ts'

/** Space for the labels of the vertical axis, such as `1.09 min`, and of the time axis. */
export const leftPixels = 58
const axisPixels = 18
const tickPixelsMin = 90

interface BucketBrushProps {
  readonly histogram: Histogram
  readonly width: number
  readonly height: number
  readonly label: string
  /** The bucket under the pointer, or selected by the arrow keys. */
  readonly current: number | undefined
  readonly onCurrent: (bucket: number | undefined) => void
  readonly onZoom: (window: TimeWindow) => void
  readonly children: ReactNode
}

/**
 * The frame of a chart over time: its axis, and the selection of a part of it by dragging, or by the arrow keys with
 * Shift and Enter.
 */
export function BucketBrush(props: BucketBrushProps) {
  const { histogram, width, height, label, current, onCurrent, onZoom, children } = props
  const { isUtc } = usePreferences()
  const [start, setStart] = useState<number>()
  const count = histogram.buckets.length
  const bucketPixels = (width - leftPixels) / Math.max(count, 1)
  const bucketAt = ({ clientX, currentTarget }: PointerEvent<Element>) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - leftPixels
    return Math.min(Math.max(Math.floor(x / bucketPixels), 0), count - 1)
  }
  const zoom = (last: number) => {
    if (start !== undefined && start !== last) onZoom(windowOfBuckets(histogram, start, last))
    setStart(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = positionAfterKey(event.key, current, count)
    if (next !== undefined) {
      setStart(event.shiftKey ? (start ?? current ?? next) : undefined)
      onCurrent(next)
    } else if (event.key === 'Enter' && current !== undefined) {
      onZoom(windowOfBuckets(histogram, start ?? current, current))
      setStart(undefined)
    } else if (event.key === 'Escape') setStart(undefined)
    else return
    event.preventDefault()
  }
  return (
    <div
      className="chart"
      role="slider"
      tabIndex={0}
      aria-label={`${label}. Arrow keys move, with Shift they select, and Enter zooms.`}
      aria-valuemin={0}
      aria-valuemax={Math.max(count - 1, 0)}
      aria-valuenow={current ?? 0}
      aria-valuetext={describeBucket(histogram, current ?? 0, isUtc)}
      onKeyDown={onKeyDown}
      onBlur={() => onCurrent(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setStart(bucketAt(event))
      }}
      onPointerMove={(event) => onCurrent(bucketAt(event))}
      onPointerUp={(event) => zoom(bucketAt(event))}
      onPointerCancel={() => setStart(undefined)}
      onPointerLeave={() => onCurrent(undefined)}
    >
      <svg width={width} height={height + axisPixels} aria-hidden="true">
        {current !== undefined && (
          <Chosen first={start ?? current} last={current} bucketPixels={bucketPixels} height={height} />
        )}
        {children}
        <TimeTicks histogram={histogram} width={width} height={height} isUtc={isUtc} />
      </svg>
    </div>
  )
}

interface ChosenProps {
  readonly first: number
  readonly last: number
  readonly bucketPixels: number
  readonly height: number
}

function Chosen({ first, last, bucketPixels, height }: ChosenProps) {
  const x = leftPixels + Math.min(first, last) * bucketPixels
  const width = (Math.abs(last - first) + 1) * bucketPixels
  return <rect className="chart-current" x={x} width={width} height={height} />
}

interface TimeTicksProps {
  readonly histogram: Histogram
  readonly width: number
  readonly height: number
  readonly isUtc: boolean
}

function TimeTicks({ histogram: { fromMs, stepMs, buckets }, width, height, isUtc }: TimeTicksProps) {
  const plotPixels = width - leftPixels
  const toMs = fromMs + stepMs * buckets.length
  const ticks = timeTicks(fromMs, toMs, Math.max(plotPixels / tickPixelsMin, 1), isUtc)
  return (
    <g className="chart-axis">
      <line x1={leftPixels} x2={width} y1={height + 0.5} y2={height + 0.5} />
      {ticks.map(({ atMs, text }) => {
        const x = leftPixels + ((atMs - fromMs) / (toMs - fromMs)) * plotPixels
        const anchor = x > width - 30 ? 'end' : x < leftPixels + 20 ? 'start' : 'middle'
        return (
          <g key={atMs}>
            <line x1={x} x2={x} y1={height} y2={height + 4} />
            <text x={x} y={height + 15} textAnchor={anchor}>
              {text}
            </text>
          </g>
        )
      })}
    </g>
  )
}

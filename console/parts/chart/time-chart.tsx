import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import type uPlot from 'uplot'
import { usePreferences } from '../../app/preferences.tsx'
import { useElementWidth } from '../element-width.ts'
import { type TimeWindow, within, zoneName } from '../time/time.ts'
import { positionAfterKey } from './arrow-keys.ts'
import { ChartLegend } from './chart-legend.tsx'
import { ChartTable } from './chart-table.tsx'
import { useShownTheme } from './palette.ts'
import { drawPlot, markSelected, moveCursor } from './plot.ts'
import {
  type AlignedSeries,
  align,
  type ChartBand,
  type ChartLevel,
  type ChartSeries,
  type ChartThreshold,
  describeAt,
  timeWords,
  windowOf,
} from './series.ts'
import { headingUnit } from './units.ts'

const heightDefault = 150

interface TimeChartProps {
  /** What the chart shows. Names it for screen readers too. */
  readonly label: string
  /** The lines. An array that stays the same is not drawn again, so memoize it. */
  readonly series: readonly ChartSeries[]
  /** The unit of all values in UCUM, as in the API. */
  readonly unit: string
  /** The time axis, and what zooming starts from. */
  readonly window: TimeWindow
  /** The distance of two points in seconds. Without a point at that distance a line has a gap. */
  readonly stepSeconds: number
  readonly thresholds?: readonly ChartThreshold[]
  readonly bands?: readonly ChartBand[]
  readonly levels?: readonly ChartLevel[]
  /** Charts with the same key share their crosshair. */
  readonly syncKey?: string
  /** Whether the axis of values contains 0, as it should for counts and rates. True unless given. */
  readonly fromZero?: boolean
  /** In pixels. */
  readonly height?: number
  /** Called with the part of the time that a person dragged over, or selected by keys. Without it there is no zoom. */
  readonly onZoom?: (window: TimeWindow) => void
  /** Links and buttons in the heading. */
  readonly children?: ReactNode
  /** Whether the numbers are shown in place of the lines, where the page has a switch. Otherwise the chart has one. */
  readonly isTable?: boolean
}

const none: readonly never[] = []

/** Lines over time with a legend, and the numbers behind them as a table. */
export function TimeChart(props: TimeChartProps) {
  const { label, series, unit, window, stepSeconds, bands = none, levels = none, children } = props
  const { isUtc } = usePreferences()
  const [isTableKept, setTableKept] = useState(false)
  const [current, setCurrent] = useState<number>()
  const plot = useRef<uPlot>(null)
  const { from, to } = window
  const aligned = useMemo(() => align(series, { from, to }, stepSeconds * 1_000), [series, from, to, stepSeconds])
  const isTable = props.isTable ?? isTableKept
  const words = headingUnit(unit)
  return (
    <figure className="plot" aria-label={label}>
      <figcaption>
        <strong>{label}</strong>
        {children}
        {props.isTable === undefined && (
          <ToggleButton className="button bare" isSelected={isTable} onChange={setTableKept}>
            Table
          </ToggleButton>
        )}
        <p className="soft plot-about">
          {words}
          {!isTable && words !== '' && ' · '}
          {!isTable && <span className="plot-time">{timeOf(aligned, current, isUtc)}</span>}
        </p>
      </figcaption>
      {aligned.times.length === 0 && <p className="plot-empty soft">No data in this time range.</p>}
      {aligned.times.length > 0 && isTable && <ChartTable {...{ label, series, aligned, unit, bands }} />}
      {aligned.times.length > 0 && !isTable && (
        <>
          <Canvas {...props} {...{ aligned, plot, current }} onCurrent={setCurrent} />
          <ChartLegend
            {...{ series, aligned, unit, bands, levels, current }}
            onFocus={(position) =>
              plot.current?.setSeries(position === undefined ? null : position + 1, { focus: true })
            }
          />
        </>
      )}
    </figure>
  )
}

/** Returns the time under the crosshair, in whose words the zone is short, or the name of the zone. */
function timeOf(aligned: AlignedSeries, current: number | undefined, isUtc: boolean): string {
  if (current === undefined) return zoneName(isUtc)
  return `${timeWords(aligned, current, isUtc)} ${isUtc ? 'UTC' : 'local time'}`
}

interface CanvasProps extends TimeChartProps {
  readonly aligned: AlignedSeries
  readonly plot: { current: uPlot | null }
  readonly current: number | undefined
  readonly onCurrent: (index: number | undefined) => void
}

/** The lines. By keys, arrows walk, with Shift they select, and Enter zooms. */
function Canvas(props: CanvasProps) {
  const { label, series, unit, window, aligned, plot, current, onCurrent, onZoom, height = heightDefault } = props
  const { bands = none } = props
  const { isUtc } = usePreferences()
  const [box, width] = useElementWidth<HTMLDivElement>()
  const [start, setStart] = useState<number>()
  usePlot(props, box.current, width)
  const count = aligned.times.length
  const move = (next: number, from: number | undefined) => {
    setStart(from)
    if (plot.current === null) return
    moveCursor(plot.current, next)
    markSelected(plot.current, from, next)
    onCurrent(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = positionAfterKey(event.key, current, count)
    if (next !== undefined) move(next, event.shiftKey ? (start ?? current ?? next) : undefined)
    else if (event.key === 'Enter' && current !== undefined) {
      onZoom?.(windowOf(aligned, start ?? current, current, window))
      setStart(undefined)
    } else if (event.key === 'Escape' && start !== undefined) move(current ?? start, undefined)
    else return
    event.preventDefault()
  }
  const keys = onZoom === undefined ? 'Arrow keys move.' : 'Arrow keys move, with Shift they select, and Enter zooms.'
  return (
    <div
      ref={box}
      className="plot-canvas"
      // The place of the chart, also while it is drawn again.
      style={{ minHeight: height }}
      role="slider"
      tabIndex={0}
      aria-label={`${label}. ${keys}`}
      aria-valuemin={0}
      aria-valuemax={Math.max(count - 1, 0)}
      aria-valuenow={current ?? 0}
      aria-valuetext={describeAt(aligned, current ?? 0, { series, unit, bands, isUtc })}
      onKeyDown={onKeyDown}
      onBlur={() => plot.current !== null && moveCursor(plot.current, undefined)}
    />
  )
}

/** Draws the chart, and again when it is another one. A new width only stretches it. */
function usePlot(props: CanvasProps, element: HTMLDivElement | null, width: number): void {
  const { series, aligned, unit, syncKey, plot, fromZero = true, height = heightDefault } = props
  const { thresholds = none, bands = none, levels = none } = props
  const { isUtc } = usePreferences()
  const theme = useShownTheme()
  const { from, to } = props.window
  const latest = useRef(props)
  latest.current = props
  const isLaidOut = width > 0
  const marks = JSON.stringify([thresholds, bands, levels])
  // biome-ignore lint/correctness/useExhaustiveDependencies: marks are compared by value, and the theme by its name
  useEffect(() => {
    if (element === null || !isLaidOut) return
    const window = { from, to }
    const drawn = drawPlot(element, {
      series,
      aligned,
      window,
      unit,
      isUtc,
      fromZero,
      width,
      height,
      syncKey,
      thresholds,
      bands,
      levels,
      onCurrent: (index) => latest.current.onCurrent(index),
      onSelect: (fromMs, toMs) => latest.current.onZoom?.(within({ fromMs, toMs }, window)),
    })
    plot.current = drawn
    return () => {
      plot.current = null
      drawn.destroy()
      latest.current.onCurrent(undefined)
    }
  }, [element, isLaidOut, series, aligned, unit, from, to, isUtc, theme, fromZero, height, syncKey, marks])
  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height })
  }, [plot, width, height])
}

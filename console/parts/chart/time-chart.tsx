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
  /** The title of the chart, which is also its name for screen readers. */
  readonly label: string
  /** The lines. The chart is drawn again for another array, so memoize it. */
  readonly series: readonly ChartSeries[]
  /** The unit of all values in UCUM, as in the API. */
  readonly unit: string
  /** The range of the time axis. */
  readonly window: TimeWindow
  /** The seconds between two points. A line has a gap where one is missing. */
  readonly stepSeconds: number
  readonly thresholds?: readonly ChartThreshold[]
  readonly bands?: readonly ChartBand[]
  readonly levels?: readonly ChartLevel[]
  /** Charts with the same key share their crosshair. */
  readonly syncKey?: string
  /** Whether the value axis contains 0, as it should for counts and rates. True by default. */
  readonly fromZero?: boolean
  /** In pixels. */
  readonly height?: number
  /** Called with the time range that was selected by dragging or by keys. Without it, the chart cannot be zoomed. */
  readonly onZoom?: (window: TimeWindow) => void
  /** Links and buttons in the heading. */
  readonly children?: ReactNode
  /** Whether the table is shown instead of the lines, if the page has a switch. Otherwise the chart has its own. */
  readonly isTable?: boolean
}

const none: readonly never[] = []

/** Shows lines over time with a legend, or the numbers behind them as a table. */
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

/** Returns the time under the crosshair with its time zone, or else the name of the time zone. */
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

/** The lines. Arrow keys move the crosshair, with Shift they select, and Enter zooms in. */
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
      // Keeps the space of the chart while it is drawn again.
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

/** Draws the chart, again whenever its data change. A new width only resizes it. */
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

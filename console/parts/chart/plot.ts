/** Draws the lines of a chart with uPlot. */
import uPlot from 'uplot'
import type { TimeWindow } from '../time/time.ts'
import { drawBands, drawThresholds, type Marks } from './marks.ts'
import { lineStyle, resolveColour, resolveFrameColour } from './palette.ts'
import { type AlignedSeries, type ChartSeries, isolated } from './series.ts'
import { timeTicks } from './ticks.ts'
import { formatTicks, isBytes } from './units.ts'

/** The minimum width of the value axis, and the padding beside its numbers. */
const axisLeftPixels = 62
const besideNumberPixels = 12
const axisBottomPixels = 22
const tickPixelsMin = 95
/** The width of a time label. Half of the last one extends beyond the end of the axis. */
const labelPixels = 34

export interface PlotOptions extends Marks {
  readonly series: readonly ChartSeries[]
  readonly aligned: AlignedSeries
  readonly window: TimeWindow
  readonly unit: string
  readonly isUtc: boolean
  readonly fromZero: boolean
  readonly width: number
  readonly height: number
  /** Charts with the same key share their crosshair. */
  readonly syncKey: string | undefined
  /** Called with the bucket under the crosshair of this chart, or of one that shares it. */
  readonly onCurrent: (index: number | undefined) => void
  /** Called with the ends of the selected time range, in milliseconds since the epoch. */
  readonly onSelect: (fromMs: number, toMs: number) => void
}

/** Draws a chart into an element, and returns it. The caller destroys it. */
export function drawPlot(element: HTMLElement, options: PlotOptions): uPlot {
  const { series, aligned, window, unit, isUtc, width, height } = options
  const colour = (name: string) => resolveColour(element, name)
  const frameColour = (name: string) => resolveFrameColour(element, name)
  const font = `11px ${getComputedStyle(element).fontFamily}`
  const axis = {
    stroke: frameColour('var(--ink-soft)'),
    font,
    grid: { stroke: frameColour('var(--line)'), width: 1 },
    ticks: { stroke: frameColour('var(--line)'), width: 1, size: 4 },
  }
  const [low, high] = rangeOf(options)
  const bounds: uPlot.Range.MinMax = [Date.parse(window.from), Date.parse(window.to)]
  const ticksMax = Math.max((width - axisLeftPixels) / tickPixelsMin, 1)
  const ticks = timeTicks(bounds[0] ?? 0, bounds[1] ?? 0, ticksMax, isUtc)
  return new uPlot(
    {
      width,
      height,
      ms: 1,
      padding: [8, labelPixels / 2, 0, 0],
      legend: { show: false },
      cursor: cursorOf(options, colour),
      scales: { x: { range: () => bounds }, y: { range: () => [low, high] } },
      axes: [
        {
          ...axis,
          size: axisBottomPixels,
          gap: 2,
          splits: () => ticks.map(({ atMs }) => atMs),
          values: () => ticks.map(({ text }) => text),
        },
        {
          ...axis,
          size: ({ ctx }, values) => axisWidth(ctx, font, values),
          space: 26,
          values: (_, splits) => formatTicks(splits, unit),
          ...(isBytes(unit) ? { incrs: powersOfTwo } : isWhole(aligned) ? { incrs: wholeSteps } : {}),
        },
      ],
      series: [{}, ...series.map((each, position) => lineOf(each, position, colour))],
      hooks: {
        drawClear: [(plot) => drawBands(plot, options, colour)],
        draw: [(plot) => drawThresholds(plot, options, { colour, font })],
        setCursor: [({ cursor }) => options.onCurrent(cursor.idx ?? undefined)],
        setSelect: [(plot) => select(plot, options)],
      },
    },
    [[...aligned.times], ...aligned.values.map((values) => [...values])],
    element,
  )
}

/** Returns the width of the value axis, which fits its longest number. */
function axisWidth(context: CanvasRenderingContext2D, font: string, texts: readonly string[] | null): number {
  context.save()
  context.font = font
  const widths = (texts ?? []).map((each) => context.measureText(each).width + besideNumberPixels)
  context.restore()
  return Math.ceil(Math.max(axisLeftPixels, ...widths))
}

/** Reports whether all values are whole, so that no tick is between two of them. */
function isWhole({ values }: AlignedSeries): boolean {
  return values.every((each) => each.every((value) => value == null || Number.isInteger(value)))
}

const wholeSteps = Array.from({ length: 48 }, (_, step) => ([1, 2, 5][step % 3] ?? 1) * 10 ** Math.floor(step / 3))
const powersOfTwo = Array.from({ length: 60 }, (_, power) => 2 ** power)

function lineOf({ isRest }: ChartSeries, position: number, colour: (name: string) => string): uPlot.Series {
  const style = lineStyle(position, isRest)
  const stroke = colour(style.colour)
  return {
    stroke,
    width: isRest === true ? 1 : 1.6,
    dash: [...style.dash],
    spanGaps: false,
    // A value between two gaps has no line, so it is drawn as a dot.
    points: {
      show: true,
      size: 5,
      stroke,
      fill: stroke,
      filter: (plot, index) => isolated((plot.data[index] ?? []) as (number | null | undefined)[]),
    },
  }
}

function cursorOf({ syncKey }: PlotOptions, colour: (name: string) => string): uPlot.Cursor {
  return {
    y: false,
    drag: { x: true, y: false, setScale: false, dist: 4 },
    points: { size: 7, width: 2, stroke: colour('var(--surface)') },
    // Only the crosshair is shared, and not the selection.
    ...(syncKey === undefined
      ? {}
      : { sync: { key: syncKey, scales: ['x', null], filters: { pub: (type) => /move|leave|enter/.test(type) } } }),
  }
}

function select(plot: uPlot, { onSelect }: PlotOptions): void {
  const { left, width } = plot.select
  if (width <= 0) return
  onSelect(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
}

/** Returns the ends of the value axis, with a margin, so that no line runs along the edge. */
function rangeOf({ aligned, thresholds, levels, fromZero }: PlotOptions): [low: number, high: number] {
  const marked = [...thresholds.map(({ value }) => value), ...levels.flatMap(({ from, to }) => [from, to])]
  let [low, high] = fromZero ? [0, 0] : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of [...aligned.values.flat(), ...marked]) {
    if (value == null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return [0, 1]
  const space = high === low ? Math.abs(high) * 0.1 || 1 : (high - low) * 0.08
  const isAtZero = low === 0 || (low > 0 && low - space < 0)
  return [isAtZero ? 0 : low - space, high === 0 && low < 0 ? 0 : high + space]
}

/** Moves the crosshair of a chart, and of those that share it, to a bucket. Undefined hides it. */
export function moveCursor(plot: uPlot, index: number | undefined): void {
  const time = index === undefined ? undefined : plot.data[0][index]
  const left = time === undefined ? -10 : Math.max(plot.valToPos(time, 'x'), 0)
  // The third argument, which the types lack, publishes the position to the charts that share the crosshair.
  const move = plot.setCursor as (at: { left: number; top: number }, fire: boolean, publish: boolean) => void
  move({ left, top: left < 0 ? -10 : 1 }, true, true)
}

/** Marks the buckets that the keyboard has selected, or none. */
export function markSelected(plot: uPlot, first: number | undefined, last: number | undefined): void {
  const height = plot.over.clientHeight
  const times = [first, last].map((index) => (index === undefined ? undefined : plot.data[0][index]))
  const [a, b] = times.map((time) => (time === undefined ? undefined : plot.valToPos(time, 'x')))
  const isNone = a === undefined || b === undefined || a === b
  const [left, width] = isNone ? [0, 0] : [Math.min(a, b), Math.abs(a - b)]
  plot.setSelect({ left, top: 0, width, height: isNone ? 0 : height }, false)
}

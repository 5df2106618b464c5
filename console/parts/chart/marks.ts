/** Draws the marks of a chart beside its lines: time bands, ranges of values, and thresholds. */
import type uPlot from 'uplot'
import type { ChartBand, ChartLevel, ChartThreshold } from './series.ts'

export interface Marks {
  readonly bands: readonly ChartBand[]
  readonly thresholds: readonly ChartThreshold[]
  readonly levels: readonly ChartLevel[]
}

type Colours = (name: string) => string

const hatchPixels = 6

/** Draws the time bands and the ranges of values behind the lines. */
export function drawBands(plot: uPlot, { bands, levels }: Marks, colour: Colours): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { from, to } of levels) {
    const top = to === undefined ? bbox.top : plot.valToPos(to, 'y', true)
    const bottom = from === undefined ? bbox.top + bbox.height : plot.valToPos(from, 'y', true)
    ctx.fillStyle = colour('var(--band-level)')
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top)
  }
  for (const { kind, from, to } of bands) {
    const left = plot.valToPos(Date.parse(from), 'x', true)
    const width = plot.valToPos(Date.parse(to), 'x', true) - left
    ctx.fillStyle = colour(`var(--band-${kind})`)
    ctx.fillRect(left, bbox.top, width, bbox.height)
    // Pending is hatched and firing has a bar, so that they do not depend on colour.
    if (kind === 'pending') hatch(ctx, { left, top: bbox.top, width, height: bbox.height }, colour('var(--band-edge)'))
    if (kind === 'firing') {
      ctx.fillStyle = colour('var(--error)')
      ctx.fillRect(left, bbox.top, width, 4 * devicePixelRatio)
    }
  }
  ctx.restore()
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

function hatch(ctx: CanvasRenderingContext2D, { left, top, width, height }: Box, colour: string): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  ctx.strokeStyle = colour
  ctx.lineWidth = devicePixelRatio
  ctx.beginPath()
  for (let x = left - height; x < left + width; x += hatchPixels * devicePixelRatio) {
    ctx.moveTo(x, top + height)
    ctx.lineTo(x + height, top)
  }
  ctx.stroke()
  ctx.restore()
}

/** Draws the thresholds over the lines, each with its label. */
export function drawThresholds(
  plot: uPlot,
  { thresholds }: Marks,
  { colour, font }: { readonly colour: Colours; readonly font: string },
): void {
  const { ctx, bbox } = plot
  const right = bbox.left + bbox.width
  ctx.save()
  ctx.strokeStyle = colour('var(--error)')
  ctx.fillStyle = colour('var(--error)')
  ctx.lineWidth = 1.5 * devicePixelRatio
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.font = font.replace(/^(\d+)px/, (_, size) => `${Number(size) * devicePixelRatio}px`)
  ctx.textAlign = 'right'
  // The axes were drawn with another alignment, with which the line would cross its label.
  ctx.textBaseline = 'alphabetic'
  const levels = thresholds.map(({ value, label }) => ({ y: plot.valToPos(value, 'y', true), label }))
  for (const { y } of levels) {
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(right, y)
    ctx.stroke()
  }
  // A margin keeps a label legible where the line of the values crosses it.
  ctx.strokeStyle = colour('var(--surface)')
  ctx.lineWidth = 4 * devicePixelRatio
  ctx.lineJoin = 'round'
  ctx.setLineDash([])
  for (const { y, label } of levels) {
    const isAtTop = y - bbox.top < 16 * devicePixelRatio
    const at = [right - 4, y + (isAtTop ? 13 : -5) * devicePixelRatio] as const
    ctx.strokeText(label, ...at)
    ctx.fillText(label, ...at)
  }
  ctx.restore()
}

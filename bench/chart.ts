/** Charts as SVG texts of rectangles, lines and labels only, which every viewer can show. */

const width = 860
const labelWidth = 330
const rowHeight = 22
const colors = ['#1565c0', '#b0bec5', '#2e7d32', '#ef6c00', '#6a1b9a', '#c62828', '#00838f', '#795548']

export interface BarGroup {
  readonly name: string
  /** One value for each series. */
  readonly values: readonly number[]
}

/** Draws horizontal bars by question on a logarithmic scale, which keeps differences of magnitude readable. */
export function barChart(title: string, series: readonly string[], groups: readonly BarGroup[]): string {
  const most = Math.max(...groups.flatMap(({ values }) => values))
  const barWidth = (value: number) =>
    ((width - labelWidth - 90) * Math.log10(Math.max(value, 1))) / Math.log10(Math.max(most, 10))
  const groupHeight = series.length * rowHeight + 10
  const top = 60
  const bars = groups.flatMap(({ name, values }, group) => {
    const y = top + group * groupHeight
    return [
      label(labelWidth - 8, y + 16, name, 'end'),
      ...values.flatMap((value, index) => [
        rect({ x: labelWidth, y: y + index * rowHeight, width: barWidth(value), height: rowHeight - 4 }, colors[index]),
        label(labelWidth + barWidth(value) + 6, y + index * rowHeight + 14, `${value.toFixed(value < 10 ? 1 : 0)} ms`),
      ]),
    ]
  })
  return document(title, top + groups.length * groupHeight + 10, [...legend(series), ...bars])
}

export interface Line {
  readonly name: string
  /** One value for each position on the horizontal axis. */
  readonly values: readonly number[]
}

const plot = { left: 60, right: 420, top: 60, height: 320 }

/** Draws lines on two logarithmic axes, so that proportional growth is a straight line. */
export function lineChart(title: string, positions: readonly number[], lines: readonly Line[]): string {
  const x = scale(positions, plot.left, width - plot.right)
  const y = scale(
    lines.flatMap(({ values }) => values),
    plot.top + plot.height,
    plot.top,
  )
  const drawn = lines.flatMap(({ name, values }, index) => {
    const color = colors[index % colors.length]
    const points = values.map((value, at) => `${x(positions[at] ?? 1).toFixed(1)},${y(value).toFixed(1)}`)
    const last = values.at(-1) ?? 0
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
      rect({ x: width - plot.right + 24, y: plot.top + index * rowHeight, width: 12, height: 12 }, color),
      label(width - plot.right + 42, plot.top + 11 + index * rowHeight, `${name}: ${last.toFixed(0)} ms at the end`),
    ]
  })
  const axis = positions.map((position) =>
    label(x(position), plot.top + plot.height + 20, position.toFixed(1), 'middle'),
  )
  return document(title, plot.top + plot.height + 40, [...drawn, ...axis])
}

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [least, most] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))]
  return (value) => from + ((to - from) * (Math.log10(value) - least)) / (most - least || 1)
}

function legend(series: readonly string[]): string[] {
  return series.flatMap((name, index) => [
    rect({ x: labelWidth + index * 220, y: 34, width: 12, height: 12 }, colors[index]),
    label(labelWidth + 18 + index * 220, 45, name),
  ])
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function rect({ x, y, width: w, height }: Box, color: string | undefined): string {
  const size = `width="${Number(w.toFixed(1))}" height="${height}"`
  return `<rect x="${x}" y="${y}" ${size} fill="${color ?? 'black'}"/>`
}

function label(x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end' = 'start'): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}">${escaped}</text>`
}

function document(title: string, height: number, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    label(10, 22, title),
    ...content,
    '</svg>\n',
  ].join('\n')
}

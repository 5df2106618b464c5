import { formatNsTick } from '../../../parts/time/duration.ts'
import { leftPixels } from './bucket-brush.tsx'
import type { Histogram } from './histogram.ts'

const bandLabelPixelsMin = 15
const labelPixels = 9

interface DurationHeatProps {
  readonly histogram: Histogram
  readonly width: number
  readonly height: number
}

/**
 * Draws a cell for each bucket and duration band, darker for more messages. From bottom to top, each band is twice as
 * wide as the one below.
 */
export function DurationHeat({ histogram: { buckets }, width, height }: DurationHeatProps) {
  const cells = buckets.flatMap(({ bands = [] }, column) =>
    bands.map(({ from_ms, to_ms, message_count }) => ({ column, band: Math.log2(to_ms), from_ms, message_count })),
  )
  if (cells.length === 0) return null
  const most = Math.max(...cells.map(({ message_count }) => message_count))
  const bands = cells.map(({ band }) => band)
  const [lowest, highest] = [Math.min(...bands), Math.max(...bands)]
  const rowPixels = height / (highest - lowest + 1)
  const columnPixels = (width - leftPixels) / buckets.length
  const labelEvery = Math.ceil(bandLabelPixelsMin / rowPixels)
  const rows = Array.from({ length: highest - lowest + 1 }, (_, row) => row)
  const topOf = (row: number) => height - (row + 1) * rowPixels
  return (
    <>
      <g className="chart-axis">
        {rows
          .filter((row) => row % labelEvery === 0)
          .map((row) => (
            <text key={row} x={leftPixels - 8} y={Math.max(topOf(row) + rowPixels, labelPixels)} textAnchor="end">
              {formatNsTick(2 ** (lowest + row - 1) * 1e6)}
            </text>
          ))}
      </g>
      {cells.map(({ column, band, message_count }) => (
        <rect
          key={`${column} ${band}`}
          className="heat"
          // The square root keeps rare durations visible beside common ones.
          opacity={0.16 + 0.84 * Math.sqrt(message_count / most)}
          x={leftPixels + column * columnPixels}
          y={topOf(band - lowest)}
          width={Math.max(columnPixels - 1, 1)}
          height={Math.max(rowPixels - 1, 1)}
        />
      ))}
    </>
  )
}

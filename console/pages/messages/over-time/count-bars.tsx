import { roundUp } from '../../../parts/chart/ticks.ts'
import { formatTicks } from '../../../parts/chart/units.ts'
import { leftPixels } from './bucket-brush.tsx'
import type { Histogram } from './histogram.ts'

interface CountBarsProps {
  readonly histogram: Histogram
  readonly width: number
  readonly height: number
}

/**
 * Draws a bar for each bucket. Failed messages are the lower part, which is hatched, so that it does not depend on
 * colour.
 */
export function CountBars({ histogram: { buckets }, width, height }: CountBarsProps) {
  const top = roundUp(Math.max(...buckets.map(({ message_count }) => message_count), 1))
  const step = (width - leftPixels) / Math.max(buckets.length, 1)
  const barWidth = Math.max(step - (step > 4 ? 1 : 0), 1)
  // Even a single message is visible beside buckets with many.
  const pixelsOf = (count: number) => (count === 0 ? 0 : Math.max((count / top) * (height - 8), 2))
  return (
    <>
      <defs>
        <pattern id="failed-hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="4" height="4" className="bar-failed" />
          <line x1="0" y1="0" x2="0" y2="4" className="bar-hatch" />
        </pattern>
      </defs>
      <CountAxis top={top} width={width} height={height} />
      {buckets.map(({ at, message_count, error_message_count }, index) => {
        const [all, failed] = [pixelsOf(message_count), pixelsOf(error_message_count)]
        const x = leftPixels + index * step
        return (
          message_count > 0 && (
            <g key={at}>
              <rect className="bar-ok" x={x} y={height - all} width={barWidth} height={Math.max(all - failed, 0)} />
              <rect fill="url(#failed-hatch)" x={x} y={height - failed} width={barWidth} height={failed} />
            </g>
          )
        )
      })}
    </>
  )
}

function CountAxis({ top, width, height }: { readonly top: number; readonly width: number; readonly height: number }) {
  const shown = (top === 1 ? [1] : [top, top / 2]).filter(Number.isInteger)
  const texts = formatTicks(shown, '')
  return (
    <g className="chart-axis">
      {shown.map((count, position) => {
        const y = Math.round(height - (count / top) * (height - 8)) + 0.5
        return (
          <g key={count}>
            <line className="chart-grid" x1={leftPixels} x2={width} y1={y} y2={y} />
            <text x={leftPixels - 8} y={y + 4} textAnchor="end">
              {texts[position]}
            </text>
          </g>
        )
      })}
      <text x={leftPixels - 8} y={height + 1} textAnchor="end">
        0
      </text>
    </g>
  )
}

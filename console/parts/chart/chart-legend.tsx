import { lineStyle } from './palette.ts'
import type { AlignedSeries, ChartBand, ChartLevel, ChartSeries } from './series.ts'
import { formatValue } from './units.ts'

interface ChartLegendProps {
  readonly series: readonly ChartSeries[]
  readonly aligned: AlignedSeries
  readonly unit: string
  readonly bands: readonly ChartBand[]
  readonly levels: readonly ChartLevel[]
  /** The bucket under the crosshair. */
  readonly current: number | undefined
  /** Called with the series under the pointer. */
  readonly onFocus: (position: number | undefined) => void
}

/** Shows the names of the lines, and their values at the crosshair. */
export function ChartLegend({ series, aligned, unit, bands, levels, current, onFocus }: ChartLegendProps) {
  const marks = new Map(bands.map(({ kind, label }) => [label, kind as string]))
  for (const { label } of levels) marks.set(label, 'level')
  return (
    <ul className="plot-legend">
      {series.map(({ name, isRest }, position) => {
        const value = current === undefined ? undefined : aligned.values[position]?.[current]
        const { colour, dash } = lineStyle(position, isRest)
        return (
          <li key={name} onPointerEnter={() => onFocus(position)} onPointerLeave={() => onFocus(undefined)}>
            <svg width="18" height="8" aria-hidden="true">
              <line x1="0" x2="18" y1="4" y2="4" stroke={colour} strokeWidth="2" strokeDasharray={dash.join(' ')} />
            </svg>
            <span className="plot-name" title={name}>
              {name}
            </span>
            {current !== undefined && <strong>{value == null ? 'no data' : formatValue(value, unit)}</strong>}
          </li>
        )
      })}
      {[...marks].map(([label, kind]) => (
        <li key={label}>
          <i className={`band-mark band-${kind}`} /> {label}
        </li>
      ))}
    </ul>
  )
}

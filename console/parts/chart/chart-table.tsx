import { usePreferences } from '../../app/preferences.tsx'
import { zoneName } from '../time/time.ts'
import { type AlignedSeries, bandsAt, type ChartBand, type ChartSeries, timeWords } from './series.ts'
import { formatValue, headingUnit } from './units.ts'

interface ChartTableProps {
  readonly label: string
  readonly series: readonly ChartSeries[]
  readonly aligned: AlignedSeries
  readonly unit: string
  readonly bands: readonly ChartBand[]
}

/** The numbers behind a chart as a table. Times without a value are rows, too. */
export function ChartTable({ label, series, aligned, unit, bands }: ChartTableProps) {
  const { isUtc } = usePreferences()
  const words = headingUnit(unit)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="chart-table" tabIndex={0} aria-label={`${label} as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">From ({zoneName(isUtc)})</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="number">
                {name}
                {words === '' ? '' : ` (${words})`}
              </th>
            ))}
            {bands.length > 0 && <th scope="col">State</th>}
          </tr>
        </thead>
        <tbody>
          {aligned.times.map((time, index) => (
            <tr key={time}>
              <td className="mono">{timeWords(aligned, index, isUtc)}</td>
              {series.map(({ name }, position) => {
                const value = aligned.values[position]?.[index]
                return (
                  <td key={name} className="number">
                    {value == null ? <span className="soft">no data</span> : formatValue(value, unit)}
                  </td>
                )
              })}
              {bands.length > 0 && <td>{bandsAt(bands, time).join(', ')}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

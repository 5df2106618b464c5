import { usePreferences } from '../../../app/preferences.tsx'
import { formatNs } from '../../../parts/duration.ts'
import { formatTime, zoneName } from '../../../parts/time.ts'
import type { Histogram } from './histogram.ts'

/** The numbers behind the chart. */
export function BucketTable({ histogram: { buckets } }: { readonly histogram: Histogram }) {
  const { isUtc } = usePreferences()
  const duration = (ms: number | undefined) => (ms === undefined ? '' : formatNs(ms * 1e6))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="chart-table" tabIndex={0} aria-label="Messages over time as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">From ({zoneName(isUtc)})</th>
            {['Messages', 'With errors', 'Median', '95% within', 'Longest'].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ at, message_count, error_message_count, duration_ms }) => (
            <tr key={at}>
              <td className="mono">{formatTime(at, isUtc)}</td>
              <td className="number">{message_count.toLocaleString('en')}</td>
              <td className="number">{error_message_count.toLocaleString('en')}</td>
              <td className="number">{duration(duration_ms?.p50)}</td>
              <td className="number">{duration(duration_ms?.p95)}</td>
              <td className="number">{duration(duration_ms?.max)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

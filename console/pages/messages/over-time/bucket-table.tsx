import { usePreferences } from '../../../app/preferences.tsx'
import { formatNs, formatNsTick } from '../../../parts/time/duration.ts'
import { formatTime, zoneName } from '../../../parts/time/time.ts'
import type { Histogram } from './histogram.ts'

type Bands = NonNullable<Histogram['buckets'][number]['bands']>

const titles = ['Messages', 'With errors', 'Median', '95% within', 'Longest']

/**
 * The numbers behind the charts as a table: counts, percentiles, and the messages in each duration band of the heatmap.
 */
export function BucketTable({ histogram: { buckets } }: { readonly histogram: Histogram }) {
  const { isUtc } = usePreferences()
  const bands = bandsOf(buckets)
  const duration = (ms: number | undefined) => (ms === undefined ? '' : formatNs(ms * 1e6))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="chart-table" tabIndex={0} aria-label="Messages over time as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">From ({zoneName(isUtc)})</th>
            {[...titles, ...bands.map(bandWords)].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ at, message_count, error_message_count, duration_ms, bands: found = [] }) => (
            <tr key={at}>
              <td className="mono">{formatTime(at, isUtc)}</td>
              <td className="number">{message_count.toLocaleString('en')}</td>
              <td className="number">{error_message_count.toLocaleString('en')}</td>
              <td className="number">{duration(duration_ms?.p50)}</td>
              <td className="number">{duration(duration_ms?.p95)}</td>
              <td className="number">{duration(duration_ms?.max)}</td>
              {bands.map(({ from_ms }) => (
                <td key={from_ms} className="number">
                  {(found.find((band) => band.from_ms === from_ms)?.message_count ?? 0).toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Returns the duration bands that occur in any bucket, shortest first. */
function bandsOf(buckets: Histogram['buckets']): Bands {
  const found = new Map(buckets.flatMap(({ bands = [] }) => bands.map((band) => [band.from_ms, band] as const)))
  return [...found.values()].toSorted((a, b) => a.from_ms - b.from_ms)
}

/** Describes a band. It includes its lower end, and not its upper one. */
function bandWords({ from_ms, to_ms }: Bands[number]): string {
  return `${formatNsTick(from_ms * 1e6)} to ${formatNsTick(to_ms * 1e6)}`
}

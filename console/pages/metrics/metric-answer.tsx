import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { usePreferences } from '../../app/preferences.tsx'
import { messageSearchAt } from '../../app/search.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { WaitingList } from '../../parts/answers/list-states.tsx'
import { faultOf, ShowMore } from '../../parts/answers/show-more.tsx'
import { TimeChart } from '../../parts/chart/time-chart.tsx'
import { formatValue, formatWhole } from '../../parts/chart/units.ts'
import { formatTime, type TimeWindow, type WindowSearch, zoneName } from '../../parts/time/time.ts'
import { textOf } from '../../parts/value-text.ts'
import { type MetricData, type MetricPoint, type SeriesFilter, usePoints } from './metrics-query.ts'
import { type Aggregation, aggregationWords, type MetricKind } from './metrics-search.ts'

/** Aggregations whose axis begins at 0. A level may be far from it. */
const fromZero: readonly Aggregation[] = ['rate', 'sum', 'count']

interface MetricChartsProps {
  readonly metric: string
  readonly data: MetricData
  readonly window: TimeWindow
  readonly aggregation: Aggregation
  readonly isTable: boolean
  readonly onZoom: (window: TimeWindow) => void
  /** The content if no series has points. */
  readonly empty: ReactNode
}

/** Draws the values over time, with a chart for each kind and unit, which are never combined. */
export function MetricCharts({ data, empty, ...props }: MetricChartsProps) {
  const charts = useMemo(() => byKindAndUnit(data.series), [data])
  if (charts.length === 0) return empty
  return (
    <>
      {data.group_count > data.series.length && (
        <p className="soft">
          The {data.series.length} groups with the largest values, of {data.group_count.toLocaleString('en')}.
        </p>
      )}
      {charts.map(([id, series]) => (
        <MetricChart key={id} {...props} series={series} stepSeconds={data.step_s} isAlone={charts.length === 1} />
      ))}
    </>
  )
}

/** Groups the series by chart, in the order of the API. */
function byKindAndUnit(series: MetricData['series']): [id: string, series: MetricData['series']][] {
  const charts = new Map<string, MetricData['series']>()
  for (const each of series) {
    const id = `${each.kind} ${each.unit}`
    charts.set(id, [...(charts.get(id) ?? []), each])
  }
  return [...charts]
}

interface MetricChartProps extends Omit<MetricChartsProps, 'data' | 'empty'> {
  readonly series: MetricData['series']
  readonly stepSeconds: number
  readonly isAlone: boolean
}

function MetricChart({ metric, series, window, stepSeconds, aggregation, isAlone, ...props }: MetricChartProps) {
  const kind = series[0]?.kind ?? 'gauge'
  const lines = useMemo(
    () =>
      series.map(({ group, points }) => ({
        name: group.length === 0 ? aggregationWords[aggregation] : group.map((value) => value ?? '(none)').join(' · '),
        points,
      })),
    [series, aggregation],
  )
  return (
    <section className="card metric-chart">
      <TimeChart
        label={isAlone ? metric : `${metric} (${kind.replaceAll('_', ' ')})`}
        series={lines}
        unit={unitOf(series[0]?.unit ?? '', kind, aggregation)}
        window={window}
        stepSeconds={stepSeconds}
        syncKey="metrics"
        height={260}
        fromZero={fromZero.includes(aggregation)}
        {...props}
      />
    </section>
  )
}

/** Returns the unit of the values: that of the series, except for counts and rates. */
function unitOf(unit: string, kind: MetricKind, aggregation: Aggregation): string {
  if (aggregation === 'count') return ''
  if (aggregation !== 'rate') return unit
  return kind === 'sum' ? `${unit}/s` : '/s'
}

/** Lists the points as they were sent, newest first. An exemplar links to its message. */
export function MetricPoints({ filter, empty }: { readonly filter: SeriesFilter; readonly empty: ReactNode }) {
  const pages = usePoints(filter)
  const { isUtc } = usePreferences()
  const fault = faultOf(pages)
  if (fault !== null) return <Fault error={fault} retry={() => void pages.refetch()} />
  if (pages.data === undefined) return <WaitingList words="Loading points" />
  const points = pages.data.pages.flatMap(({ items }) => items)
  if (points.length === 0) return empty
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached with the keyboard */}
      <section className="messages-box" tabIndex={0} aria-label="Points">
        <table className="messages metrics-table" aria-busy={pages.isPlaceholderData}>
          <thead>
            <tr>
              <th scope="col">Time ({zoneName(isUtc)})</th>
              <th scope="col">Service</th>
              <th scope="col">Attributes</th>
              <th scope="col" className="number">
                Value
              </th>
              <th scope="col">Messages</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity, and are only ever added
              <PointLine key={index} point={point} isUtc={isUtc} />
            ))}
          </tbody>
        </table>
      </section>
      <ShowMore list={pages} />
    </>
  )
}

function PointLine({ point, isUtc }: { readonly point: MetricPoint; readonly isUtc: boolean }) {
  const { time, series, exemplars } = point
  return (
    <tr>
      <td className="mono">{formatTime(time, isUtc, 3)}</td>
      <td className="names">{series.service}</td>
      <td className="mono wide">{series.attributes.map(({ key, value }) => `${key}=${textOf(value)}`).join('  ')}</td>
      <td className="number">{valueWords(point)}</td>
      <td className="exemplars">
        {exemplars.map(({ trace_id, span_id, number, time: at }) =>
          trace_id === null ? null : (
            <Link
              key={`${at}${trace_id}${span_id}`}
              to="/messages/$id"
              params={{ id: trace_id }}
              search={(current: WindowSearch) => messageSearchAt(span_id, current)}
              className="exemplar"
              title={`Message ${trace_id}`}
            >
              <span className="mono">{trace_id.slice(0, 8)}</span>
              {number !== undefined && ` (${inUnit(number.value, series.unit)})`}
            </Link>
          ),
        )}
      </td>
    </tr>
  )
}

/** Formats the value of a point: the number, or the count and the sum of a histogram. */
function valueWords({ number, histogram, exponential_histogram, summary, series }: MetricPoint): string {
  if (number !== undefined) return inUnit(number.value, series.unit)
  const observed = histogram ?? exponential_histogram ?? summary
  if (observed === undefined) return 'no value'
  const sum = observed.sum === undefined ? '' : `, sum ${inUnit(observed.sum, series.unit)}`
  return `${formatWhole(observed.count)} observed${sum}`
}

/**
 * Formats a number with its unit. Numbers that JSON cannot represent are texts: large integers with all their digits,
 * infinities and NaN.
 */
function inUnit(value: number | string, unit: string): string {
  if (typeof value === 'number') return formatValue(value, unit)
  return /^-?\d+$/.test(value) ? formatWhole(value, unit) : value
}

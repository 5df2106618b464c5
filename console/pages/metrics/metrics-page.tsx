import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isSignedOut } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting, WaitingList } from '../../parts/answers/list-states.tsx'
import { useSettled } from '../../parts/answers/settled.ts'
import { isAtFields } from '../../parts/forms/problem-at.ts'
import { Segments } from '../../parts/forms/segments.tsx'
import { type TimeWindow, windowAt, withoutWindow } from '../../parts/time/time.ts'
import { useWindowEnd } from '../../parts/time/window-end.ts'
import { UpLink } from '../../parts/up-link.tsx'
import { without } from '../../parts/without.ts'
import { EmptySeries } from './empty-series.tsx'
import { MetricCharts, MetricPoints } from './metric-answer.tsx'
import { MetricCatalog } from './metric-catalog.tsx'
import { MetricForm } from './metric-form.tsx'
import { type Metric, seriesFilterOf, useMetricData, useMetrics } from './metrics-query.ts'
import { groupsMaxDefault, type MetricsSearch, usualAggregation } from './metrics-search.ts'

const shows = [
  ['chart', 'Chart'],
  ['table', 'Table'],
  ['points', 'Points'],
] as const

/** The explorer of metrics. Everything that changes its results is in the address. */
export function MetricsPage() {
  const search = useSearch({ from: '/explore/metrics' })
  const navigate = useNavigate({ from: '/explore/metrics' })
  const [at, endNow] = useWindowEnd(search, withoutWindow(search))
  const change = (next: MetricsSearch, isTyping = false) => void navigate({ search: next, replace: isTyping })
  const { metric } = search
  const catalog = without(search, 'metric', 'conditions', 'by', 'aggregation', 'groups', 'show')
  const above = (
    <UpLink to="/explore/metrics" search={catalog}>
      Metrics
    </UpLink>
  )
  return (
    <>
      <TopBar
        title={metric ?? 'Metrics'}
        {...(metric === undefined ? {} : { above })}
        window={search}
        onRefresh={endNow}
        onWindow={(window) => change({ ...withoutWindow(search), ...window })}
      />
      <main className="page">
        <Metrics search={search} at={at} onChange={change} />
      </main>
    </>
  )
}

interface MetricsProps {
  readonly search: MetricsSearch
  readonly at: Date
  readonly onChange: (search: MetricsSearch, isTyping?: boolean) => void
}

function Metrics({ search, at, onChange }: MetricsProps) {
  const window = useMemo(() => windowAt(search, at), [search, at])
  const metrics = useMetrics(window, true)
  if (metrics.error !== null) {
    return isSignedOut(metrics.error) ? null : <Fault error={metrics.error} retry={() => void metrics.refetch()} />
  }
  if (metrics.data === undefined) return <WaitingList words="Loading metrics" />
  if (search.metric === undefined) {
    return <MetricCatalog metrics={metrics.data} search={search} onChange={onChange} />
  }
  const own = metrics.data.filter(({ name }) => name === search.metric)
  return <Explorer {...{ search, at, window, onChange }} metric={search.metric} own={own} />
}

interface ExplorerProps extends MetricsProps {
  readonly window: TimeWindow
  readonly metric: string
  /** The entries of the metric in the catalog: one for each kind and unit. */
  readonly own: readonly Metric[]
}

function Explorer({ search, at, window, metric, own, onChange }: ExplorerProps) {
  const settled = useSettled(search)
  const [first] = own
  const usual = first === undefined ? 'avg' : usualAggregation(first.kind, first.monotonic)
  const { aggregation = usual, by = [], groups = groupsMaxDefault } = settled
  const filter = { ...seriesFilterOf(settled, at), ...window }
  const answer = useMetricData(filter, { aggregation, group_by: by, groups_max: groups })
  const { show } = search
  const pointers = filter.conditions?.map((_, index) => `/conditions/${index}`) ?? []
  const waiting = <Waiting className="card metric-waiting" words="Loading the chart" />
  const empty = answer.isPlaceholderData ? waiting : <EmptySeries search={settled} at={at} onChange={onChange} />
  return (
    <>
      <div className="answer-line">
        <p className="soft">{first?.description}</p>
        <span className="answer-actions">
          <Segments
            label="Answer"
            value={show ?? 'chart'}
            options={shows}
            onChange={(next) => onChange(next === 'chart' ? without(search, 'show') : { ...search, show: next })}
          />
        </span>
      </div>
      <MetricForm
        {...{ search, filter, onChange }}
        aggregation={search.aggregation ?? usual}
        metrics={own}
        error={answer.error}
      />
      {answer.error !== null && !isAtFields(answer.error, pointers) && (
        <Fault error={answer.error} retry={() => void answer.refetch()} />
      )}
      {show === 'points' && <MetricPoints filter={filter} empty={empty} />}
      {show !== 'points' && answer.isPending && waiting}
      {show !== 'points' && answer.data !== undefined && answer.error === null && (
        <MetricCharts
          metric={metric}
          data={answer.data.data}
          window={answer.data.window}
          aggregation={answer.data.aggregation}
          isTable={show === 'table'}
          empty={empty}
          onZoom={(zoomed) => onChange({ ...withoutWindow(search), ...zoomed })}
        />
      )}
    </>
  )
}

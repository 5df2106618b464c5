import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { MessagesSearch } from '../../../app/search.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Waiting } from '../../../parts/answers/list-states.tsx'
import type { ChartSeries } from '../../../parts/chart/series.ts'
import { TimeChart } from '../../../parts/chart/time-chart.tsx'
import type { TimeWindow, WindowSearch } from '../../../parts/time/time.ts'
import { type Rule, useWidgetData, type Widget, type WidgetData } from './service-query.ts'
import { messagesOfWidget } from './widget-messages.ts'
import { inWidget, WidgetTable } from './widget-table.tsx'

interface WidgetCardProps {
  readonly name: string
  readonly facet: string
  readonly widget: Widget
  readonly window: TimeWindow
  readonly search: WindowSearch
  readonly rules: readonly Rule[]
  readonly onZoom: (window: TimeWindow) => void
}

/** Shows one widget, with a request of its own so that a slow one delays no other. */
export function WidgetCard({ name, facet, widget, window, search, rules, onZoom }: WidgetCardProps) {
  const { data: answer, error, refetch, isPlaceholderData } = useWidgetData(name, widget.id, window)
  const place = { service: name, facet, widget, rules, window: search }
  return (
    <article className="card widget" data-kind={widget.kind} aria-label={widget.title} aria-busy={isPlaceholderData}>
      {error !== null && <Fault error={error} retry={() => void refetch()} />}
      {error === null && answer === undefined && (
        <Waiting className="widget-waiting" words={`Loading ${widget.title}`} />
      )}
      {error === null && answer !== undefined && (
        <WidgetContent
          widget={widget}
          data={answer.data}
          window={answer.window}
          messages={messagesOfWidget(place)}
          search={search}
          onZoom={onZoom}
        />
      )}
    </article>
  )
}

interface WidgetContentProps {
  readonly widget: Widget
  readonly data: WidgetData
  readonly window: TimeWindow
  readonly messages: MessagesSearch
  readonly search: WindowSearch
  readonly onZoom: (window: TimeWindow) => void
}

function WidgetContent({ widget, data, window, messages, search, onZoom }: WidgetContentProps) {
  const link = (
    <Link to="/" search={messages} className="widget-messages" aria-label={`Messages of ${widget.title}`}>
      Messages
    </Link>
  )
  if (data.kind === 'timeseries') return <WidgetChart {...{ widget, data, window, onZoom }}>{link}</WidgetChart>
  if (data.kind === 'stat') {
    const [value] = data.rows[0] ?? []
    const unit = data.columns[0]?.unit ?? widget.unit
    return (
      <>
        <header className="widget-heading">
          <strong>{widget.title}</strong>
          {link}
        </header>
        <p className="widget-number">{typeof value === 'number' ? inWidget(value, unit) : 'no data'}</p>
      </>
    )
  }
  return (
    <>
      <header className="widget-heading">
        <strong>{widget.title}</strong>
        {link}
      </header>
      <WidgetTable title={widget.title} table={data} search={search} />
    </>
  )
}

interface WidgetChartProps extends Pick<WidgetContentProps, 'widget' | 'window' | 'onZoom'> {
  readonly data: Extract<WidgetData, { kind: 'timeseries' }>
  readonly children: ReactNode
}

function WidgetChart({ widget, data, window, onZoom, children }: WidgetChartProps) {
  const isShare = data.unit === '1'
  const series = useMemo(() => data.series.map((each) => toSeries(each, isShare)), [data.series, isShare])
  return (
    <TimeChart
      label={widget.title}
      series={series}
      unit={isShare ? '%' : data.unit}
      window={window}
      stepSeconds={data.step_s}
      syncKey="dashboard"
      onZoom={onZoom}
    >
      {children}
    </TimeChart>
  )
}

const measureWords: Readonly<Record<string, string>> = {
  rate: 'all',
  error_rate: 'failed',
  error_count: 'failed',
  count: 'all',
}

/**
 * Converts the series of a widget to those of a chart. Shares are in percent. A group may have the name of a measure,
 * so only ungrouped lines are renamed.
 */
function toSeries({ name, group, points }: WidgetSeries, isShare: boolean): ChartSeries {
  return {
    name: group === 'all' ? (measureWords[name] ?? name) : group === 'value' ? name : `(${name})`,
    points: points.map(([time, value]) => [String(time), isShare ? Number(value) * 100 : Number(value)]),
    isRest: group === 'other' || group === 'absent',
  }
}

type WidgetSeries = WidgetChartProps['data']['series'][number]

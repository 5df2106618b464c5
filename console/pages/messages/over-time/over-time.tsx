import { useState } from 'react'
import { usePreferences } from '../../../app/preferences.tsx'
import type { ChartKind } from '../../../app/search.ts'
import { Fault } from '../../../parts/answers/fault.tsx'
import { Waiting } from '../../../parts/answers/list-states.tsx'
import { useElementWidth } from '../../../parts/element-width.ts'
import { Segments } from '../../../parts/forms/segments.tsx'
import { type TimeWindow, zoneName } from '../../../parts/time/time.ts'
import type { MessageFilter } from '../message-query.ts'
import { BucketBrush } from './bucket-brush.tsx'
import { BucketTable } from './bucket-table.tsx'
import { CountBars } from './count-bars.tsx'
import { DurationHeat } from './duration-heat.tsx'
import { describeBucket, type Histogram, useHistogram } from './histogram.ts'

const heightPixels = 104

const kinds = [
  ['counts', 'Counts'],
  ['durations', 'Durations'],
  ['table', 'Table'],
] as const

interface OverTimeProps {
  readonly filter: MessageFilter & TimeWindow
  readonly kind: ChartKind | undefined
  readonly isEnabled: boolean
  /** Whether the search that precedes the chart has failed or was cancelled. */
  readonly isStopped: boolean
  readonly onKind: (kind: ChartKind | undefined) => void
  readonly onZoom: (window: TimeWindow) => void
}

/** Shows the messages over time as counts with failures, as durations, or as a table. Dragging zooms in. */
export function OverTime({ filter, kind, isEnabled, isStopped, onKind, onZoom }: OverTimeProps) {
  const { isUtc } = usePreferences()
  const [current, setCurrent] = useState<number>()
  const { data, error, refetch, isPlaceholderData } = useHistogram(
    filter,
    kind === 'durations' || kind === 'table',
    isEnabled,
  )
  const readout = data === undefined || current === undefined ? '' : describeBucket(data, current, isUtc)
  return (
    <section className="card over-time" aria-label="Messages over time" aria-busy={isPlaceholderData}>
      <header>
        <Segments
          label="Chart"
          value={kind ?? 'counts'}
          options={kinds}
          onChange={(next) => onKind(next === 'counts' ? undefined : next)}
        />
        {kind === 'table' ? (
          <p className="chart-legend soft">The columns after “Longest” count the messages of each duration.</p>
        ) : (
          <Legend kind={kind} readout={readout} zone={zoneName(isUtc)} />
        )}
      </header>
      {error !== null && <Fault error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && isStopped && (
        <p className="chart-waiting soft">The chart appears once there is an answer.</p>
      )}
      {error === null && data === undefined && !isStopped && (
        <Waiting className="chart-waiting" words="Loading the chart" />
      )}
      {data !== undefined && kind === 'table' && <BucketTable histogram={data} />}
      {data !== undefined && kind !== 'table' && (
        <Chart histogram={data} kind={kind} current={current} onCurrent={setCurrent} onZoom={onZoom} />
      )}
    </section>
  )
}

interface ChartProps {
  readonly histogram: Histogram
  readonly kind: ChartKind | undefined
  readonly current: number | undefined
  readonly onCurrent: (bucket: number | undefined) => void
  readonly onZoom: (window: TimeWindow) => void
}

function Chart({ histogram, kind, current, onCurrent, onZoom }: ChartProps) {
  const [box, width] = useElementWidth<HTMLDivElement>()
  const size = { histogram, width, height: heightPixels }
  return (
    <div ref={box} className="chart-box">
      {width > 0 && (
        <BucketBrush
          {...size}
          label={kind === 'durations' ? 'Durations of messages over time' : 'Messages over time'}
          current={current}
          onCurrent={onCurrent}
          onZoom={onZoom}
        >
          {kind === 'durations' ? <DurationHeat {...size} /> : <CountBars {...size} />}
        </BucketBrush>
      )}
    </div>
  )
}

interface LegendProps {
  readonly kind: ChartKind | undefined
  readonly readout: string
  readonly zone: string
}

/** Explains the marks, or describes what is under the pointer. */
function Legend({ kind, readout, zone }: LegendProps) {
  if (readout !== '') return <p className="chart-readout">{readout}</p>
  return (
    <p className="chart-legend soft">
      {kind === 'durations' ? (
        <span>
          <i className="legend-heat" /> few to many messages per duration
        </span>
      ) : (
        <>
          <span>
            <i className="legend-ok" /> without errors
          </span>
          <span>
            <i className="legend-failed" /> with errors
          </span>
        </>
      )}
      <span className="chart-hint">{zone} · drag to zoom</span>
    </p>
  )
}

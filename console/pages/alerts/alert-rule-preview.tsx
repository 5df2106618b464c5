import { useMemo } from 'react'
import type { components } from '../../../openapi/types.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import type { ChartBand } from '../../parts/chart/series.ts'
import { TimeChart } from '../../parts/chart/time-chart.tsx'
import { formatExactly } from '../../parts/chart/units.ts'
import { counted } from '../../parts/counted.ts'
import { LongText } from '../../parts/long-text.tsx'
import { formatTime, type TimeWindow } from '../../parts/time/time.ts'
import type { AlertRuleCreate, useAlertRulePreview } from './alert-query.ts'
import { measureWords, shownValue } from './alert-rule-draft.ts'

type Preview = components['schemas']['AlertRulePreview']

const chartHeight = 190

interface RulePreviewProps {
  readonly rule: AlertRuleCreate | undefined
  readonly preview: ReturnType<typeof useAlertRulePreview>
  readonly window: TimeWindow
  readonly unit: string
  /** Whether the form shows all faults of the rule at its fields. */
  readonly isAtFields: boolean
  readonly onZoom: (window: TimeWindow) => void
}

/** Shows what a rule would have measured and sent over a past window. */
export function RulePreview({ rule, preview, window, unit, isAtFields, onZoom }: RulePreviewProps) {
  const { data, error, isPlaceholderData } = preview
  return (
    <section className="card rule-preview" aria-label="Preview" aria-busy={preview.isFetching}>
      {error !== null && !isAtFields && <Fault error={error} retry={() => void preview.refetch()} />}
      {(rule === undefined || (error !== null && isAtFields)) && (
        <p className="soft">The preview appears once the marked fields are corrected.</p>
      )}
      {rule !== undefined && error === null && data === undefined && (
        <Waiting className="preview-waiting" words="Evaluating the rule" />
      )}
      {rule !== undefined && error === null && data !== undefined && (
        <Plot {...{ rule, data, window, unit, onZoom }} isStale={isPlaceholderData} />
      )}
    </section>
  )
}

interface PlotProps extends Pick<RulePreviewProps, 'window' | 'unit' | 'onZoom'> {
  readonly rule: AlertRuleCreate
  readonly data: Preview
  readonly isStale: boolean
}

function Plot({ rule, data, window, unit, onZoom, isStale }: PlotProps) {
  const { measure } = rule
  const threshold = shownValue(rule.threshold, measure)
  const name = measureWords(measure)
  const series = useMemo(
    () => [{ name, points: data.points.map(({ at, value }) => [at, value && shownValue(value, measure)] as const) }],
    [data, name, measure],
  )
  const bands = useMemo(() => bandsOf(data), [data])
  return (
    <>
      <div className={isStale ? 'soft' : ''}>
        <Notifications notifications={data.notifications} />
      </div>
      <TimeChart
        label={`${name.charAt(0).toUpperCase()}${name.slice(1)} at each evaluation`}
        series={series}
        unit={unit}
        window={window}
        stepSeconds={data.step_s}
        thresholds={[{ value: threshold, label: `threshold ${formatExactly(threshold, unit)}` }]}
        bands={bands}
        height={chartHeight}
        onZoom={onZoom}
      />
      <p className="soft">
        Now: <LongText text={data.summary} />
      </p>
    </>
  )
}

/** Says how often a rule would have notified, and when. */
function Notifications({ notifications }: Pick<Preview, 'notifications'>) {
  const { isUtc } = usePreferences()
  if (notifications.length === 0) return <strong>Would not have notified anybody.</strong>
  return (
    <details>
      <summary>
        <strong>Would have notified {counted(notifications.length, 'time')}</strong>
      </summary>
      <ul>
        {notifications.map(({ at, state }) => (
          <li key={`${at} ${state}`}>
            <span className="mono">{formatTime(at, isUtc)}</span> {state}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Joins neighbouring evaluations of one status to bands. */
export function bandsOf({ points, step_s }: Pick<Preview, 'points' | 'step_s'>): ChartBand[] {
  const bands: ChartBand[] = []
  points.forEach(({ at, status }, index) => {
    if (status !== 'pending' && status !== 'firing') return
    const to = points[index + 1]?.at ?? new Date(Date.parse(at) + step_s * 1_000).toISOString()
    const last = bands.at(-1)
    if (last?.kind === status && last.to === at) bands[bands.length - 1] = { ...last, to }
    else bands.push({ kind: status, from: at, to, label: status })
  })
  return bands
}

import { type ClassificationRule, type Scope, type WidgetRow, type WidgetTime, widgetData, widgetSettings } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import { readInScope } from '../telemetry/scope.ts'
import { nsOfSeconds } from '../telemetry/time-units.ts'
import { bucketSeconds } from '../telemetry/time-window.ts'
import type { WidgetDefinition } from './widgets/definitions.ts'
import { groupsMaxOf, toTable, toTimeSeries } from './widgets/widget-data.ts'

/** A widget of one service, within a scope; reading ends when `signal` aborts. */
export interface WidgetQuestion {
  readonly service: string
  readonly rules: readonly ClassificationRule[]
  readonly definition: WidgetDefinition
  readonly scope: Scope
  /** The step that was asked for; only time series have one. */
  readonly stepSeconds: number | undefined
  readonly signal: AbortSignal
}

/** What a widget shows, in one query. @throws Problem 400 when the step asked for gives too many points */
export async function readWidget(
  clickhouse: ClickHouse,
  question: WidgetQuestion,
): Promise<components['schemas']['WidgetData']> {
  const { definition, scope } = question
  const { window } = scope
  if (definition.kind !== 'timeseries') return toTable(definition, await readRows(clickhouse, question, { window }))
  const step = bucketSeconds(window, question.stepSeconds)
  const rows = await readRows(clickhouse, question, { window, bucketNs: nsOfSeconds(step) })
  return toTimeSeries(definition, rows, step)
}

async function readRows(
  clickhouse: ClickHouse,
  { service, rules, definition, scope, signal }: WidgetQuestion,
  time: WidgetTime,
): Promise<WidgetRow[]> {
  const { spans, measures, groupings } = definition
  const query = { service, spans, rules, measures: measures.map(({ measure }) => measure), groupings }
  const data = widgetData({ ...query, groupsMax: groupsMaxOf(definition) }, time)
  return readInScope<WidgetRow>({ clickhouse, scope, signal }, data, 'widget', { settings: widgetSettings })
}

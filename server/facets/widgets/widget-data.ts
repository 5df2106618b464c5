import { rfc3339OfNs, type WidgetRow } from '#sql'
import type { components } from '../../../openapi/types.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import type { WidgetDefinition } from './definitions.ts'

type Schemas = components['schemas']
type Group = Schemas['WidgetGroup']

/** The maximum number of groups that a widget shows by name. All others are combined. */
export const seriesMax = 10
const tableRowsMax = 50

/** Returns the maximum number of groups that a widget shows by name. */
export function groupsMaxOf({ kind }: WidgetDefinition): number {
  return kind === 'timeseries' ? seriesMax : tableRowsMax
}

/** Display names of groups without a value. The property `group` distinguishes them from equal values. */
const nameOfOthers = 'other'
const nameOfAbsent = 'none'

/** Converts the rows of a widget to lines. */
export function toTimeSeries(
  definition: WidgetDefinition,
  rows: readonly WidgetRow[],
  step_s: number,
): Schemas['WidgetTimeSeries'] {
  const series = definition.groupings.length === 0 ? seriesOfMeasures(definition, rows) : seriesOfGroups(rows)
  return { kind: 'timeseries', unit: definition.unit, step_s, series }
}

function seriesOfMeasures({ measures }: WidgetDefinition, rows: readonly WidgetRow[]): Schemas['WidgetSeries'][] {
  if (rows.length === 0) return []
  return measures.map(({ measure }, index) => ({ name: measure, group: 'all', points: pointsOf(rows, index) }))
}

function seriesOfGroups(rows: readonly WidgetRow[]): Schemas['WidgetSeries'][] {
  const ofGroups = [...groupedBy(rows, ({ group_rank }) => group_rank).values()]
  return ofGroups.map((own) => ({ ...nameOf(own[0].names), points: pointsOf(own, 0) }))
}

function nameOf([name]: WidgetRow['names']): { name: string; group: Group } {
  if (name === undefined) return { name: nameOfOthers, group: 'other' }
  return name === null ? { name: nameOfAbsent, group: 'absent' } : { name, group: 'value' }
}

function pointsOf(rows: readonly WidgetRow[], measure: number): Schemas['WidgetPoint'][] {
  return rows.map(({ step_ns, numbers }) => [rfc3339OfNs(BigInt(step_ns)), numbers[measure] as number])
}

/** Converts the rows of a widget to a table, without the filters of its rows. */
export function toTable(
  definition: WidgetDefinition,
  rows: readonly WidgetRow[],
): Omit<Schemas['WidgetTable'], 'row_filters'> {
  const { kind, groupings, measures } = definition
  return {
    kind: kind === 'stat' ? 'stat' : 'table',
    columns: [
      ...groupings.map(({ name }) => ({ name })),
      ...measures.map(({ measure: name, unit }) => ({ name, unit })),
    ],
    rows: rows.map(({ names, numbers }) => [...groupings.map((_, index) => names[index] ?? null), ...numbers]),
    row_groups: rows.map(({ names }) => rowGroupOf(definition, names)),
  }
}

function rowGroupOf({ groupings }: WidgetDefinition, names: WidgetRow['names']): Group {
  if (groupings.length === 0) return 'all'
  if (names.length === 0) return 'other'
  return names.every((name) => name === null) ? 'absent' : 'value'
}

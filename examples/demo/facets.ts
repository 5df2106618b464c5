import type { components } from '../../openapi/types.ts'
import type { Api } from './api.ts'

type Schemas = components['schemas']

/** The service whose spans carry no `io.kind`, and the rule that classifies them. */
export const unclassified = 'loyalty'
export const rule: Schemas['FacetMappingCreate'] = {
  attribute_source: 'span',
  attribute_key: 'messaging.operation',
  match_operator: 'equals',
  match_value: 'process',
  set_io_kind: 'queue',
  set_io_role: 'input',
}

/** A widget about the messages that a service consumes. */
const widgetId = 'queue-input.operations'

/** The facets of a service and the data of one of its widgets. */
export interface Shown {
  readonly facets: readonly string[]
  readonly table: Schemas['WidgetTable']
}

export interface Classified {
  readonly services: readonly Schemas['Service'][]
  readonly before: Shown
  readonly after: Shown
}

/**
 * Reads the facets of all services, then creates the rule of one.
 * @throws Error when the rule has no effect
 */
export async function classify(api: Api): Promise<Classified> {
  const { items: services } = await api.services()
  const before = await readShown(api)
  await api.addRule(unclassified, rule)
  const after = await readShown(api)
  const isChanged = !before.facets.includes('queue-input') && after.facets.includes('queue-input')
  if (!isChanged || before.table.rows.length > 0 || after.table.rows.length === 0)
    throw new Error(`the rule of ${unclassified} changed nothing: ${JSON.stringify({ before, after })}`)
  return { services, before, after }
}

async function readShown(api: Api): Promise<Shown> {
  const { facets } = await api.dashboard(unclassified)
  const data = await api.widgetData(unclassified, widgetId)
  if (data.kind === 'timeseries') throw new Error(`${widgetId} is a table`)
  return { facets: facets.map(({ slug }) => slug), table: data }
}

/** The widgets of every built-in facet: the first things that an operator of such a service looks at. */
import type { IoPair, WidgetMeasure, WidgetSpans } from '#sql'
import type { components } from '../../../openapi/types.ts'
import { groupings as by, type NamedGrouping } from './groupings.ts'

export type Widget = components['schemas']['Widget']

/** A widget and what it measures. */
export interface WidgetDefinition extends Widget {
  readonly spans: WidgetSpans
  readonly measures: readonly { readonly measure: WidgetMeasure; readonly unit: string }[]
  readonly groupings: readonly NamedGrouping[]
}

interface WidgetSketch {
  readonly id: string
  readonly title: string
  readonly kind: Widget['kind']
  readonly measures: readonly [WidgetMeasure, ...WidgetMeasure[]]
  readonly groupings?: readonly NamedGrouping[]
}

const latency = (title: string): WidgetSketch => ({
  id: 'latency',
  title,
  kind: 'timeseries',
  measures: ['p50', 'p95', 'p99'],
})
const throughput = (title: string): WidgetSketch => ({
  id: 'throughput',
  title,
  kind: 'timeseries',
  measures: ['rate'],
})
const errorRate = (title: string): WidgetSketch => ({
  id: 'error-rate',
  title,
  kind: 'timeseries',
  measures: ['error_rate'],
})
const rates = (id: string, title: string, grouping: NamedGrouping): WidgetSketch => ({
  id,
  title,
  kind: 'timeseries',
  measures: ['rate'],
  groupings: [grouping],
})
const table = (id: string, title: string, ...groupings: NamedGrouping[]): WidgetSketch => ({
  id,
  title,
  kind: 'table',
  measures: ['count', 'error_rate', 'p95'],
  groupings,
})

/** The widgets of each facet by its slug, in the order in which a dashboard shows them. */
export const widgetDefinitions: ReadonlyMap<string, readonly WidgetDefinition[]> = new Map([
  section('core', 'span', { kind: 'all' }, [
    { id: 'spans', title: 'Spans', kind: 'stat', measures: ['count'] },
    { id: 'failures', title: 'Share of failed spans', kind: 'stat', measures: ['error_rate'] },
    throughput('Spans per second'),
    { id: 'errors', title: 'Failed spans', kind: 'timeseries', measures: ['error_count'] },
    latency('Duration of spans'),
    table('operations', 'Spans by name', by.name),
  ]),
  ofPair({ kind: 'http', role: 'input' }, 'request', [
    throughput('Requests per second'),
    rates('status-classes', 'Requests per second by status class', by.statusClass),
    errorRate('Share of failed requests'),
    latency('Duration of requests'),
    table('routes', 'Requests by route', by.method, by.route),
  ]),
  ofPair({ kind: 'http', role: 'output' }, 'request', [
    throughput('Calls per second'),
    rates('status-classes', 'Calls per second by status class', by.statusClass),
    errorRate('Share of failed calls'),
    latency('Duration of calls'),
    table('peers', 'Calls by peer', by.peer, by.method),
  ]),
  ofPair({ kind: 'queue', role: 'input' }, 'message', messaging('consumed')),
  ofPair({ kind: 'queue', role: 'output' }, 'message', messaging('published')),
  ofPair({ kind: 'stream', role: 'input' }, 'message', messaging('consumed')),
  ofPair({ kind: 'stream', role: 'output' }, 'message', messaging('produced')),
  ofPair({ kind: 'file', role: 'input' }, 'file', transfers('received')),
  ofPair({ kind: 'file', role: 'output' }, 'file', transfers('sent')),
  ofPair({ kind: 'db', role: 'output' }, 'query', [
    throughput('Queries per second'),
    rates('operations', 'Queries per second by operation', by.databaseOperation),
    errorRate('Share of failed queries'),
    latency('Duration of queries'),
    table('tables', 'Queries by table', by.databaseSystem, by.database, by.databaseOperation, by.table),
  ]),
  ofPair({ kind: 'email', role: 'output' }, 'email', [
    throughput('Emails sent per second'),
    errorRate('Share of emails that failed'),
    latency('Time to send an email'),
    table('steps', 'Emails by server and step', by.peer, by.name),
  ]),
  section('worker', 'operation', { kind: 'internal' }, [
    throughput('Operations per second'),
    errorRate('Share of failed operations'),
    latency('Duration of operations'),
    table('operations', 'Operations by name', by.name),
  ]),
])

/** The widgets of each facet as the API returns them, without their measures. */
export const builtInWidgets: ReadonlyMap<string, readonly Widget[]> = new Map(
  [...widgetDefinitions].map(([slug, definitions]) => [slug, definitions.map(toWidget)]),
)

function toWidget({ id, title, kind, unit }: WidgetDefinition): Widget {
  return { id, title, kind, unit }
}

const byId: ReadonlyMap<string, WidgetDefinition> = new Map(
  [...widgetDefinitions.values()].flat().map((definition) => [definition.id, definition]),
)

export function widgetNamed(id: string): WidgetDefinition | undefined {
  return byId.get(id)
}

function messaging(done: string): WidgetSketch[] {
  return [
    throughput(`Messages ${done} per second`),
    rates('destinations', `Messages ${done} per second by destination`, by.destination),
    errorRate('Share of messages that failed'),
    latency('Duration per message'),
    table('operations', `Messages ${done} by destination`, by.messagingSystem, by.destination, by.messagingOperation),
  ]
}

function transfers(done: string): WidgetSketch[] {
  return [
    throughput(`Files ${done} per second`),
    errorRate('Share of transfers that failed'),
    latency('Duration of transfers'),
    table('hosts', `Files ${done} by host`, by.host, by.protocol),
    table('files', `Files ${done} by name`, by.file),
  ]
}

function ofPair(pair: IoPair, noun: string, sketches: readonly WidgetSketch[]) {
  return section(`${pair.kind}-${pair.role}`, noun, { kind: 'pair', pair }, sketches)
}

function section(slug: string, noun: string, spans: WidgetSpans, sketches: readonly WidgetSketch[]) {
  const widgets = sketches.map(({ id, title, kind, measures, groupings = [] }): WidgetDefinition => {
    const [first, ...others] = measures
    const measured = [first, ...others].map((measure) => ({ measure, unit: unitOf(measure, noun) }))
    return { id: `${slug}.${id}`, title, kind, unit: unitOf(first, noun), spans, measures: measured, groupings }
  })
  return [slug, widgets] as const
}

/**
 * Returns the UCUM unit of a measure. As in OpenTelemetry, the unit of a count is its noun in braces, and a ratio has
 * the unit 1.
 */
function unitOf(measure: WidgetMeasure, noun: string): string {
  switch (measure) {
    case 'count':
      return `{${noun}}`
    case 'rate':
      return `{${noun}}/s`
    case 'error_count':
      return '{error}'
    case 'error_rate':
      return '1'
    default:
      return 'ms'
  }
}

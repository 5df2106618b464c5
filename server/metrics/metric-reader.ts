import {
  aggregationsOfKind,
  kindOfNumber,
  type MetricDataRow,
  type MetricQuery,
  type MetricStream,
  type MetricStreamRow,
  metricData,
  metricLookbackNs,
  metricStreams,
  metricStreamsMax,
  type SeriesQuery,
} from '#sql'
import { refused } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry } from '../telemetry/read-in-scope.ts'

export type MetricQuestion = Omit<MetricQuery, 'stream' | 'window'>

export interface StreamData {
  readonly stream: MetricStream
  readonly rows: readonly MetricDataRow[]
}

/**
 * The values of each kind and unit of the chosen series, a query for each, but for kinds that have no such aggregation.
 * @throws Problem 422 when no kind has it, or when there are too many kinds and units
 */
export async function readMetric(telemetry: ScopedTelemetry, question: MetricQuestion): Promise<StreamData[]> {
  const streams = await fittingStreams(telemetry, question, '/aggregation')
  return Promise.all(streams.map(async (stream) => ({ stream, rows: await readData(telemetry, question, stream) })))
}

/**
 * The kinds and units of the chosen series that have the aggregation, which stands at `pointer` in the request's body.
 * @throws Problem 422 when no kind has it, or when there are too many kinds and units
 */
export async function fittingStreams(
  telemetry: ScopedTelemetry,
  question: MetricQuestion,
  pointer: string,
): Promise<MetricStream[]> {
  const streams = await readStreams(telemetry, question)
  const fitting = streams.filter(({ kind }) => aggregationsOfKind[kind].includes(question.aggregation))
  if (streams.length > 0 && fitting.length === 0) throw refuseAggregation(question, streams, pointer)
  return fitting
}

async function readStreams(telemetry: ScopedTelemetry, question: SeriesQuery): Promise<MetricStream[]> {
  const rows = await readInScope<MetricStreamRow>(telemetry, metricStreams(question), 'metric')
  if (rows.length > metricStreamsMax) throw refused('/metric', 'too_many', tooManyStreams)
  return rows.map(({ kind, unit }) => ({ kind: kindOfNumber(kind), unit }))
}

export function readData(
  telemetry: ScopedTelemetry,
  question: MetricQuestion,
  stream: MetricStream,
): Promise<MetricDataRow[]> {
  const { window } = telemetry.scope
  const scope = { ...telemetry.scope, window: { ...window, fromNs: window.fromNs - metricLookbackNs } }
  return readInScope({ ...telemetry, scope }, metricData({ ...question, stream, window }), 'metric')
}

const tooManyStreams = `The chosen series are of more than ${metricStreamsMax} kinds and units: choose among them with conditions.`

function refuseAggregation({ aggregation }: MetricQuestion, streams: readonly MetricStream[], pointer: string) {
  const kinds = [...new Set(streams.map(({ kind }) => kind))].join(', ')
  return refused(pointer, 'not_of_kind', `Series of this kind have no ${aggregation}: ${kinds}.`)
}

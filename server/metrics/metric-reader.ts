import {
  aggregationsOfKind,
  type MetricDataRow,
  type MetricQuery,
  type MetricStream,
  type MetricStreamRow,
  metricData,
  metricKinds,
  metricLookbackNs,
  metricStreams,
  metricStreamsMax,
  renderInScope,
  type Scope,
  type SeriesQuery,
  type Sql,
} from '#sql'
import type { ClickHouse } from '../clickhouse/client.ts'
import { refused } from '../http/problem.ts'

export type MetricQuestion = Omit<MetricQuery, 'stream' | 'window'>

/** The points of one organization. Reading ends when `signal` aborts. */
export interface PointSource {
  readonly clickhouse: ClickHouse
  readonly scope: Scope
  readonly signal: AbortSignal
}

export interface StreamData {
  readonly stream: MetricStream
  readonly rows: readonly MetricDataRow[]
}

/**
 * The values of each kind and unit of the chosen series, a query for each, but for kinds that have no such aggregation.
 * @throws Problem 422 when no kind has it, or when there are too many kinds and units
 */
export async function readMetric(source: PointSource, question: MetricQuestion): Promise<StreamData[]> {
  const streams = await fittingStreams(source, question, '/aggregation')
  return Promise.all(streams.map(async (stream) => ({ stream, rows: await readData(source, question, stream) })))
}

/**
 * The kinds and units of the chosen series that have the aggregation, which stands at `pointer` in the request's body.
 * @throws Problem 422 when no kind has it, or when there are too many kinds and units
 */
export async function fittingStreams(
  source: PointSource,
  question: MetricQuestion,
  pointer: string,
): Promise<MetricStream[]> {
  const streams = await readStreams(source, question)
  const fitting = streams.filter(({ kind }) => aggregationsOfKind[kind].includes(question.aggregation))
  if (streams.length > 0 && fitting.length === 0) throw refuseAggregation(question, streams, pointer)
  return fitting
}

async function readStreams(source: PointSource, question: SeriesQuery): Promise<MetricStream[]> {
  const rows = await read<MetricStreamRow>(source, metricStreams(question), source.scope)
  if (rows.length > metricStreamsMax) throw refused('/metric', 'too_many', tooManyStreams)
  return rows.map(({ kind, unit }) => ({ kind: metricKinds[kind - 1] ?? 'gauge', unit }))
}

export function readData(
  source: PointSource,
  question: MetricQuestion,
  stream: MetricStream,
): Promise<MetricDataRow[]> {
  const { window } = source.scope
  const reaching = { ...window, fromNs: window.fromNs - metricLookbackNs }
  return read(source, metricData({ ...question, stream, window }), { ...source.scope, window: reaching })
}

const tooManyStreams = `The chosen series are of more than ${metricStreamsMax} kinds and units: choose among them with conditions.`

function refuseAggregation({ aggregation }: MetricQuestion, streams: readonly MetricStream[], pointer: string) {
  const kinds = [...new Set(streams.map(({ kind }) => kind))].join(', ')
  return refused(pointer, 'not_of_kind', `Series of this kind have no ${aggregation}: ${kinds}.`)
}

async function read<Row>({ clickhouse, signal }: PointSource, query: Sql, scope: Scope): Promise<Row[]> {
  return (await clickhouse.read<Row>(renderInScope(query, scope), { label: 'metric', signal })).rows
}

import {
  aggregationsOfKind,
  kindOfNumber,
  type MetricDataRow,
  type MetricQuery,
  type MetricStream,
  type MetricStreamRow,
  metricAggregations,
  metricData,
  metricLookbackNs,
  metricStreams,
  metricStreamsMax,
  type SeriesQuery,
} from '#sql'
import { refused } from '../problem/problem.ts'
import { readInScope, type ScopedTelemetry, withWindow } from '../telemetry/scope.ts'

/** A metric query without its stream and window, which are determined later. */
export type MetricRequest = Omit<MetricQuery, 'stream' | 'window'>

export interface StreamData {
  readonly stream: MetricStream
  readonly rows: readonly MetricDataRow[]
}

/**
 * Reads the values of the selected series, with one query per stream (kind and unit). Streams whose kind does not
 * support the aggregation are left out.
 * @throws Problem 422 when no stream supports the aggregation, or when there are too many streams
 */
export async function readMetric(telemetry: ScopedTelemetry, request: MetricRequest): Promise<StreamData[]> {
  const streams = await fittingStreams(telemetry, request, '/aggregation')
  return Promise.all(streams.map(async (stream) => ({ stream, rows: await readData(telemetry, request, stream) })))
}

/**
 * Returns the streams of the selected series that support the aggregation. `pointer` locates the aggregation in the
 * request body.
 * @throws Problem 422 when no stream supports the aggregation, or when there are too many streams
 */
export async function fittingStreams(
  telemetry: ScopedTelemetry,
  request: MetricRequest,
  pointer: string,
): Promise<MetricStream[]> {
  const streams = await readStreams(telemetry, request)
  const fitting = streams.filter(({ kind }) => aggregationsOfKind[kind].includes(request.aggregation))
  if (streams.length > 0 && fitting.length === 0) throw unsupportedAggregation(request, streams, pointer)
  return fitting
}

async function readStreams(telemetry: ScopedTelemetry, request: SeriesQuery): Promise<MetricStream[]> {
  const rows = await readInScope<MetricStreamRow>(telemetry, metricStreams(request), 'metric')
  if (rows.length > metricStreamsMax) throw tooManyStreams()
  return rows.map(({ kind, unit }) => ({ kind: kindOfNumber(kind), unit }))
}

/**
 * Reads the values of one stream. Also reads points before the window, because the increases in the first bucket depend
 * on them.
 */
export function readData(
  telemetry: ScopedTelemetry,
  request: MetricRequest,
  stream: MetricStream,
): Promise<MetricDataRow[]> {
  const { window } = telemetry.scope
  const lookingBack = withWindow(telemetry, { fromNs: window.fromNs - metricLookbackNs })
  return readInScope(lookingBack, metricData({ ...request, stream, window }), 'metric')
}

function tooManyStreams() {
  const limit = `The selected series have more than ${metricStreamsMax} combinations of kind and unit.`
  return refused('/metric', 'too_many', `${limit} Select fewer series with conditions.`)
}

function unsupportedAggregation({ aggregation }: MetricRequest, streams: readonly MetricStream[], pointer: string) {
  const kinds = [...new Set(streams.map(({ kind }) => kind))]
  const available = metricAggregations.filter((each) => kinds.some((kind) => aggregationsOfKind[kind].includes(each)))
  const message =
    `The aggregation ${aggregation} is not available for the selected series of kind ${kinds.join(', ')}. ` +
    `Use one of ${available.join(', ')}.`
  return refused(pointer, 'not_of_kind', message)
}

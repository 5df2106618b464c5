/**
 * Generated from the .proto files beside it by `npm run generate`; do not edit.
 */
import type { MessageTable } from './message-table.ts'

export const otlpMessages = {
  'collector.logs.v1.ExportLogsServiceRequest': {
    resourceLogs: { id: 1, type: 'logs.v1.ResourceLogs', repeated: true },
  },
  'collector.logs.v1.ExportLogsServiceResponse': {
    partialSuccess: { id: 1, type: 'collector.logs.v1.ExportLogsPartialSuccess' },
  },
  'collector.logs.v1.ExportLogsPartialSuccess': {
    rejectedLogRecords: { id: 1, type: 'int64' },
    errorMessage: { id: 2, type: 'string' },
  },
  'collector.metrics.v1.ExportMetricsServiceRequest': {
    resourceMetrics: { id: 1, type: 'metrics.v1.ResourceMetrics', repeated: true },
  },
  'collector.metrics.v1.ExportMetricsServiceResponse': {
    partialSuccess: { id: 1, type: 'collector.metrics.v1.ExportMetricsPartialSuccess' },
  },
  'collector.metrics.v1.ExportMetricsPartialSuccess': {
    rejectedDataPoints: { id: 1, type: 'int64' },
    errorMessage: { id: 2, type: 'string' },
  },
  'collector.trace.v1.ExportTraceServiceRequest': {
    resourceSpans: { id: 1, type: 'trace.v1.ResourceSpans', repeated: true },
  },
  'collector.trace.v1.ExportTraceServiceResponse': {
    partialSuccess: { id: 1, type: 'collector.trace.v1.ExportTracePartialSuccess' },
  },
  'collector.trace.v1.ExportTracePartialSuccess': {
    rejectedSpans: { id: 1, type: 'int64' },
    errorMessage: { id: 2, type: 'string' },
  },
  'logs.v1.LogsData': {
    resourceLogs: { id: 1, type: 'logs.v1.ResourceLogs', repeated: true },
  },
  'logs.v1.ResourceLogs': {
    resource: { id: 1, type: 'resource.v1.Resource' },
    scopeLogs: { id: 2, type: 'logs.v1.ScopeLogs', repeated: true },
    schemaUrl: { id: 3, type: 'string' },
  },
  'logs.v1.ScopeLogs': {
    scope: { id: 1, type: 'common.v1.InstrumentationScope' },
    logRecords: { id: 2, type: 'logs.v1.LogRecord', repeated: true },
    schemaUrl: { id: 3, type: 'string' },
  },
  'logs.v1.LogRecord': {
    timeUnixNano: { id: 1, type: 'fixed64' },
    observedTimeUnixNano: { id: 11, type: 'fixed64' },
    severityNumber: { id: 2, type: 'enum' },
    severityText: { id: 3, type: 'string' },
    body: { id: 5, type: 'common.v1.AnyValue' },
    attributes: { id: 6, type: 'common.v1.KeyValue', repeated: true },
    droppedAttributesCount: { id: 7, type: 'uint32' },
    flags: { id: 8, type: 'fixed32' },
    traceId: { id: 9, type: 'hex' },
    spanId: { id: 10, type: 'hex' },
    eventName: { id: 12, type: 'string' },
  },
  'common.v1.AnyValue': {
    stringValue: { id: 1, type: 'string', oneof: 'value' },
    boolValue: { id: 2, type: 'bool', oneof: 'value' },
    intValue: { id: 3, type: 'int64', oneof: 'value' },
    doubleValue: { id: 4, type: 'double', oneof: 'value' },
    arrayValue: { id: 5, type: 'common.v1.ArrayValue', oneof: 'value' },
    kvlistValue: { id: 6, type: 'common.v1.KeyValueList', oneof: 'value' },
    bytesValue: { id: 7, type: 'bytes', oneof: 'value' },
    stringValueStrindex: { id: 8, type: 'int32', oneof: 'value' },
  },
  'common.v1.ArrayValue': {
    values: { id: 1, type: 'common.v1.AnyValue', repeated: true },
  },
  'common.v1.KeyValueList': {
    values: { id: 1, type: 'common.v1.KeyValue', repeated: true },
  },
  'common.v1.KeyValue': {
    key: { id: 1, type: 'string' },
    value: { id: 2, type: 'common.v1.AnyValue' },
    keyStrindex: { id: 3, type: 'int32' },
  },
  'common.v1.InstrumentationScope': {
    name: { id: 1, type: 'string' },
    version: { id: 2, type: 'string' },
    attributes: { id: 3, type: 'common.v1.KeyValue', repeated: true },
    droppedAttributesCount: { id: 4, type: 'uint32' },
  },
  'common.v1.EntityRef': {
    schemaUrl: { id: 1, type: 'string' },
    type: { id: 2, type: 'string' },
    idKeys: { id: 3, type: 'string', repeated: true },
    descriptionKeys: { id: 4, type: 'string', repeated: true },
  },
  'resource.v1.Resource': {
    attributes: { id: 1, type: 'common.v1.KeyValue', repeated: true },
    droppedAttributesCount: { id: 2, type: 'uint32' },
    entityRefs: { id: 3, type: 'common.v1.EntityRef', repeated: true },
  },
  'metrics.v1.MetricsData': {
    resourceMetrics: { id: 1, type: 'metrics.v1.ResourceMetrics', repeated: true },
  },
  'metrics.v1.ResourceMetrics': {
    resource: { id: 1, type: 'resource.v1.Resource' },
    scopeMetrics: { id: 2, type: 'metrics.v1.ScopeMetrics', repeated: true },
    schemaUrl: { id: 3, type: 'string' },
  },
  'metrics.v1.ScopeMetrics': {
    scope: { id: 1, type: 'common.v1.InstrumentationScope' },
    metrics: { id: 2, type: 'metrics.v1.Metric', repeated: true },
    schemaUrl: { id: 3, type: 'string' },
  },
  'metrics.v1.Metric': {
    name: { id: 1, type: 'string' },
    description: { id: 2, type: 'string' },
    unit: { id: 3, type: 'string' },
    gauge: { id: 5, type: 'metrics.v1.Gauge', oneof: 'data' },
    sum: { id: 7, type: 'metrics.v1.Sum', oneof: 'data' },
    histogram: { id: 9, type: 'metrics.v1.Histogram', oneof: 'data' },
    exponentialHistogram: { id: 10, type: 'metrics.v1.ExponentialHistogram', oneof: 'data' },
    summary: { id: 11, type: 'metrics.v1.Summary', oneof: 'data' },
    metadata: { id: 12, type: 'common.v1.KeyValue', repeated: true },
  },
  'metrics.v1.Gauge': {
    dataPoints: { id: 1, type: 'metrics.v1.NumberDataPoint', repeated: true },
  },
  'metrics.v1.Sum': {
    dataPoints: { id: 1, type: 'metrics.v1.NumberDataPoint', repeated: true },
    aggregationTemporality: { id: 2, type: 'enum' },
    isMonotonic: { id: 3, type: 'bool' },
  },
  'metrics.v1.Histogram': {
    dataPoints: { id: 1, type: 'metrics.v1.HistogramDataPoint', repeated: true },
    aggregationTemporality: { id: 2, type: 'enum' },
  },
  'metrics.v1.ExponentialHistogram': {
    dataPoints: { id: 1, type: 'metrics.v1.ExponentialHistogramDataPoint', repeated: true },
    aggregationTemporality: { id: 2, type: 'enum' },
  },
  'metrics.v1.Summary': {
    dataPoints: { id: 1, type: 'metrics.v1.SummaryDataPoint', repeated: true },
  },
  'metrics.v1.NumberDataPoint': {
    attributes: { id: 7, type: 'common.v1.KeyValue', repeated: true },
    startTimeUnixNano: { id: 2, type: 'fixed64' },
    timeUnixNano: { id: 3, type: 'fixed64' },
    asDouble: { id: 4, type: 'double', oneof: 'value' },
    asInt: { id: 6, type: 'sfixed64', oneof: 'value' },
    exemplars: { id: 5, type: 'metrics.v1.Exemplar', repeated: true },
    flags: { id: 8, type: 'uint32' },
  },
  'metrics.v1.HistogramDataPoint': {
    attributes: { id: 9, type: 'common.v1.KeyValue', repeated: true },
    startTimeUnixNano: { id: 2, type: 'fixed64' },
    timeUnixNano: { id: 3, type: 'fixed64' },
    count: { id: 4, type: 'fixed64' },
    sum: { id: 5, type: 'double' },
    bucketCounts: { id: 6, type: 'fixed64', repeated: true },
    explicitBounds: { id: 7, type: 'double', repeated: true },
    exemplars: { id: 8, type: 'metrics.v1.Exemplar', repeated: true },
    flags: { id: 10, type: 'uint32' },
    min: { id: 11, type: 'double' },
    max: { id: 12, type: 'double' },
  },
  'metrics.v1.ExponentialHistogramDataPoint': {
    attributes: { id: 1, type: 'common.v1.KeyValue', repeated: true },
    startTimeUnixNano: { id: 2, type: 'fixed64' },
    timeUnixNano: { id: 3, type: 'fixed64' },
    count: { id: 4, type: 'fixed64' },
    sum: { id: 5, type: 'double' },
    scale: { id: 6, type: 'sint32' },
    zeroCount: { id: 7, type: 'fixed64' },
    positive: { id: 8, type: 'metrics.v1.ExponentialHistogramDataPoint.Buckets' },
    negative: { id: 9, type: 'metrics.v1.ExponentialHistogramDataPoint.Buckets' },
    flags: { id: 10, type: 'uint32' },
    exemplars: { id: 11, type: 'metrics.v1.Exemplar', repeated: true },
    min: { id: 12, type: 'double' },
    max: { id: 13, type: 'double' },
    zeroThreshold: { id: 14, type: 'double' },
  },
  'metrics.v1.ExponentialHistogramDataPoint.Buckets': {
    offset: { id: 1, type: 'sint32' },
    bucketCounts: { id: 2, type: 'uint64', repeated: true },
  },
  'metrics.v1.SummaryDataPoint': {
    attributes: { id: 7, type: 'common.v1.KeyValue', repeated: true },
    startTimeUnixNano: { id: 2, type: 'fixed64' },
    timeUnixNano: { id: 3, type: 'fixed64' },
    count: { id: 4, type: 'fixed64' },
    sum: { id: 5, type: 'double' },
    quantileValues: { id: 6, type: 'metrics.v1.SummaryDataPoint.ValueAtQuantile', repeated: true },
    flags: { id: 8, type: 'uint32' },
  },
  'metrics.v1.SummaryDataPoint.ValueAtQuantile': {
    quantile: { id: 1, type: 'double' },
    value: { id: 2, type: 'double' },
  },
  'metrics.v1.Exemplar': {
    filteredAttributes: { id: 7, type: 'common.v1.KeyValue', repeated: true },
    timeUnixNano: { id: 2, type: 'fixed64' },
    asDouble: { id: 3, type: 'double', oneof: 'value' },
    asInt: { id: 6, type: 'sfixed64', oneof: 'value' },
    spanId: { id: 4, type: 'hex' },
    traceId: { id: 5, type: 'hex' },
  },
  'trace.v1.TracesData': {
    resourceSpans: { id: 1, type: 'trace.v1.ResourceSpans', repeated: true },
  },
  'trace.v1.ResourceSpans': {
    resource: { id: 1, type: 'resource.v1.Resource' },
    scopeSpans: { id: 2, type: 'trace.v1.ScopeSpans', repeated: true },
    schemaUrl: { id: 3, type: 'string' },
  },
  'trace.v1.ScopeSpans': {
    scope: { id: 1, type: 'common.v1.InstrumentationScope' },
    spans: { id: 2, type: 'trace.v1.Span', repeated: true },
    schemaUrl: { id: 3, type: 'string' },
  },
  'trace.v1.Span': {
    traceId: { id: 1, type: 'hex' },
    spanId: { id: 2, type: 'hex' },
    traceState: { id: 3, type: 'string' },
    parentSpanId: { id: 4, type: 'hex' },
    flags: { id: 16, type: 'fixed32' },
    name: { id: 5, type: 'string' },
    kind: { id: 6, type: 'enum' },
    startTimeUnixNano: { id: 7, type: 'fixed64' },
    endTimeUnixNano: { id: 8, type: 'fixed64' },
    attributes: { id: 9, type: 'common.v1.KeyValue', repeated: true },
    droppedAttributesCount: { id: 10, type: 'uint32' },
    events: { id: 11, type: 'trace.v1.Span.Event', repeated: true },
    droppedEventsCount: { id: 12, type: 'uint32' },
    links: { id: 13, type: 'trace.v1.Span.Link', repeated: true },
    droppedLinksCount: { id: 14, type: 'uint32' },
    status: { id: 15, type: 'trace.v1.Status' },
  },
  'trace.v1.Span.Event': {
    timeUnixNano: { id: 1, type: 'fixed64' },
    name: { id: 2, type: 'string' },
    attributes: { id: 3, type: 'common.v1.KeyValue', repeated: true },
    droppedAttributesCount: { id: 4, type: 'uint32' },
  },
  'trace.v1.Span.Link': {
    traceId: { id: 1, type: 'hex' },
    spanId: { id: 2, type: 'hex' },
    traceState: { id: 3, type: 'string' },
    attributes: { id: 4, type: 'common.v1.KeyValue', repeated: true },
    droppedAttributesCount: { id: 5, type: 'uint32' },
    flags: { id: 6, type: 'fixed32' },
  },
  'trace.v1.Status': {
    message: { id: 2, type: 'string' },
    code: { id: 3, type: 'enum' },
  },
} as const satisfies MessageTable

/** A message of OTLP, without the prefix `opentelemetry.proto.`. */
export type MessageName = keyof typeof otlpMessages

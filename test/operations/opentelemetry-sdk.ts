/** The OpenTelemetry SDK for JavaScript, configured as in an application, sending to one server. */

import { credentials, Metadata } from '@grpc/grpc-js'
import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api'
import { OTLPLogExporter as GrpcLogs } from '@opentelemetry/exporter-logs-otlp-grpc'
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter as GrpcMetrics } from '@opentelemetry/exporter-metrics-otlp-grpc'
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as GrpcTraces } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'

export interface SdkOptions {
  /** The address of the port that serves the protocol. */
  readonly url: string
  readonly token: string
  readonly encoding: 'json' | 'protobuf' | 'grpc'
}

const exporters = {
  json: { traces: JsonTraces, metrics: JsonMetrics, logs: JsonLogs },
  grpc: { traces: GrpcTraces, metrics: GrpcMetrics, logs: GrpcLogs },
  protobuf: { traces: ProtobufTraces, metrics: ProtobufMetrics, logs: ProtobufLogs },
} as const

export function openSdk({ url, token, encoding }: SdkOptions) {
  const { traces, metrics, logs } = exporters[encoding]
  const authorization = `Bearer ${token}`
  const metadata = new Metadata()
  metadata.set('authorization', authorization)
  const overGrpc = { url, metadata, credentials: credentials.createInsecure() }
  const at = (signal: string) =>
    encoding === 'grpc' ? overGrpc : { url: `${url}/v1/${signal}`, headers: { authorization } }
  const resource = resourceFromAttributes({ 'service.name': 'sdk-shop', 'service.version': '1.2.3' })
  const tracers = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new traces(at('traces')))],
  })
  const meters = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter: new metrics(at('metrics')) })],
  })
  const loggers = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: new logs(at('logs')) })],
  })
  const providers = [tracers, meters, loggers]
  return {
    tracer: tracers.getTracer('sdk-test', '0.1'),
    meter: meters.getMeter('sdk-test', '0.1'),
    logger: loggers.getLogger('sdk-test', '0.1'),
    /** Flushes everything, as an application does when it ends. */
    async end() {
      for (const provider of providers) await provider.forceFlush()
      for (const provider of providers) await provider.shutdown()
    },
  }
}

/** Collects every warning and error that the SDK reports from now on. */
export function collectDiagnostics(): unknown[][] {
  const reported: unknown[][] = []
  const report = (...args: unknown[]) => void reported.push(args)
  const logger: DiagLogger = { error: report, warn: report, info() {}, debug() {}, verbose() {} }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  return reported
}

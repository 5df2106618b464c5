// Sends a span, a log record and a metric with the SDK of OpenTelemetry for Go. Its argument is the name of the service.
package main

import (
	"context"
	"os"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	otellog "go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	var spans trace.SpanExporter
	var metrics metric.Exporter
	var logs log.Exporter
	// Exporters for Go read every variable but the protocol.
	if os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc" {
		spans = must(otlptracegrpc.New(ctx))
		metrics = must(otlpmetricgrpc.New(ctx))
		logs = must(otlploggrpc.New(ctx))
	} else {
		spans = must(otlptracehttp.New(ctx))
		metrics = must(otlpmetrichttp.New(ctx))
		logs = must(otlploghttp.New(ctx))
	}

	origin := resource.NewSchemaless(attribute.String("service.name", os.Args[1]))
	tracers := trace.NewTracerProvider(trace.WithBatcher(spans), trace.WithResource(origin))
	meters := metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(metrics)), metric.WithResource(origin))
	loggers := log.NewLoggerProvider(log.WithProcessor(log.NewBatchProcessor(logs)), log.WithResource(origin))

	inSpan, span := tracers.Tracer("sender").Start(ctx, "deliver")
	counter := must(meters.Meter("sender").Int64Counter("parcels.delivered"))
	counter.Add(inSpan, 3)
	var record otellog.Record
	record.SetTimestamp(time.Now())
	record.SetSeverity(otellog.SeverityInfo)
	record.SetSeverityText("INFO")
	record.SetBody(attribute.StringValue("Delivered three parcels"))
	loggers.Logger("sender").Emit(inSpan, record)
	span.End()

	check(tracers.Shutdown(ctx))
	check(meters.Shutdown(ctx))
	check(loggers.Shutdown(ctx))
}

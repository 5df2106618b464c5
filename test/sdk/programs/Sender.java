import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Sends a span, a log record and a metric with the SDK of OpenTelemetry. Its argument is the name of the service. */
public class Sender {
  public static void main(String[] args) {
    OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(() -> Map.of("otel.service.name", args[0]))
        .disableShutdownHook()
        .build()
        .getOpenTelemetrySdk();
    Span span = sdk.getTracer("sender").spanBuilder("deliver").startSpan();
    try (Scope current = span.makeCurrent()) {
      sdk.getMeter("sender").counterBuilder("parcels.delivered").build().add(3);
      sdk.getLogsBridge().get("sender").logRecordBuilder()
          .setSeverity(Severity.INFO)
          .setSeverityText("INFO")
          .setBody("Delivered three parcels")
          .emit();
    }
    span.end();
    sdk.shutdown().join(30, TimeUnit.SECONDS);
  }
}

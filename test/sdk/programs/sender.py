"""Sends a span, a log record and a metric as the agent of OpenTelemetry for Python has configured the SDK."""

import logging

from opentelemetry import metrics, trace
from opentelemetry._logs import SeverityNumber, get_logger

# The SDK reports failed exports as warnings.
logging.basicConfig(level=logging.WARNING)

with trace.get_tracer("sender").start_as_current_span("deliver"):
    metrics.get_meter("sender").create_counter("parcels.delivered").add(3)
    get_logger("sender").emit(
        severity_number=SeverityNumber.INFO, severity_text="INFO", body="Delivered three parcels"
    )

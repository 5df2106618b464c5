SELECT uniqExact(TraceId) AS message_count, uniqExactIf(TraceId, StatusCode = 'Error') AS error_message_count,
    count() AS matched_step_count, countIf(StatusCode = 'Error') AS error_step_count
FROM otel_traces
WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
    AND SpanAttributes['customer.id'] = '77'

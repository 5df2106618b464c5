WITH RECURSIVE below AS
(
    SELECT TraceId, SpanId, ServiceName, StatusCode
    FROM otel_traces
    WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
        AND ((ServiceName = 'checkout' AND mapContains(SpanAttributes, 'tenant'))
        OR (ServiceName = 'ledger' AND startsWith(SpanAttributes['http.route'], '/api')))
        AND TraceId IN (SELECT TraceId FROM otel_traces WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
        AND (ServiceName = 'checkout' AND mapContains(SpanAttributes, 'tenant')))
        AND TraceId IN (SELECT TraceId FROM otel_traces WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
        AND (ServiceName = 'ledger' AND startsWith(SpanAttributes['http.route'], '/api')))
    UNION ALL
    SELECT child.TraceId, child.SpanId, child.ServiceName, child.StatusCode
    FROM otel_traces AS child
    INNER JOIN below ON child.TraceId = below.TraceId AND child.ParentSpanId = below.SpanId
    WHERE child.Timestamp >= {from:DateTime64(9)} AND child.Timestamp < {to:DateTime64(9)}
)
SELECT uniqExact(TraceId) AS message_count, uniqExactIf(TraceId, StatusCode = 'Error') AS error_message_count,
    count() AS matched_step_count, countIf(StatusCode = 'Error') AS error_step_count
FROM (SELECT DISTINCT TraceId, SpanId, StatusCode FROM below WHERE ServiceName IN ('checkout', 'ledger'))

WITH RECURSIVE below AS
(
    SELECT TraceId, SpanId, StatusCode
    FROM otel_traces
    WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
        AND SpanAttributes['tenant'] = 't-7'
    UNION ALL
    SELECT child.TraceId, child.SpanId, child.StatusCode
    FROM otel_traces AS child
    INNER JOIN below ON child.TraceId = below.TraceId AND child.ParentSpanId = below.SpanId
    WHERE child.Timestamp >= {from:DateTime64(9)} AND child.Timestamp < {to:DateTime64(9)}
),
steps AS
(
    SELECT DISTINCT TraceId, SpanId, StatusCode FROM below
)
SELECT uniqExact(TraceId) AS message_count, uniqExact(TraceId) AS error_message_count,
    count() AS matched_step_count, countIf(StatusCode = 'Error') AS error_step_count
FROM steps
WHERE TraceId IN (SELECT TraceId FROM steps WHERE StatusCode = 'Error')

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
)
SELECT TraceId, min(Timestamp) AS Started
FROM otel_traces
WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
    AND TraceId IN (SELECT TraceId FROM below WHERE StatusCode = 'Error')
GROUP BY TraceId
ORDER BY Started DESC, TraceId DESC
LIMIT 50

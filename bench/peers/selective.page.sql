SELECT TraceId, min(Timestamp) AS Started
FROM otel_traces
WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
    AND TraceId IN (SELECT TraceId FROM otel_traces WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
        AND SpanAttributes['customer.id'] = '77')
GROUP BY TraceId
ORDER BY Started DESC, TraceId DESC
LIMIT 50

SELECT TraceId, min(Timestamp) AS Started
FROM otel_traces
WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
    AND TraceId IN (SELECT TraceId FROM otel_traces WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
        AND (ServiceName = 'checkout' AND mapContains(SpanAttributes, 'tenant')))
    AND TraceId IN (SELECT TraceId FROM otel_traces WHERE Timestamp >= {from:DateTime64(9)} AND Timestamp < {to:DateTime64(9)}
        AND (ServiceName = 'ledger' AND startsWith(SpanAttributes['http.route'], '/api')))
GROUP BY TraceId
ORDER BY Started DESC, TraceId DESC
LIMIT 50

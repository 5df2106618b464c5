SELECT group_rank, any(names) AS names, step_ns, [toFloat64(quantileExact(0.499999999999)(duration) / 1e6)] AS numbers
FROM (
  SELECT toUInt64(1) AS group_rank, CAST([], 'Array(Nullable(String))') AS names, step_ns, is_error, duration
  FROM (
    SELECT toInt64(0) AS step_ns, status = 2 AS is_error, duration_ns AS duration
    FROM spans FINAL
    WHERE (org = {p0:String}
      AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND toUInt8(start < fromUnixTimestamp64Nano({p3:Int64}, 'UTC'))
      AND ((
          SELECT sum(repeats)
          FROM (
            SELECT count() AS repeats
            FROM repeated_spans
            WHERE (org = {p0:String}
              AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
              AND 1))) = 0
        OR (trace_id, span_id, start) NOT IN (
          SELECT trace_id, span_id, start
          FROM repeated_spans
          WHERE (org = {p0:String}
            AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
            AND 1)))
      AND (service = {p4:String}
        AND kind = 1))))
GROUP BY group_rank, step_ns
ORDER BY group_rank, step_ns

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225620000000000"
-- p3 = "1767225615000000000"
-- p4 = "shop"

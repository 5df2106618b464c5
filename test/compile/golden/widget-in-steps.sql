SELECT group_rank, any(names) AS names, step_ns, [toFloat64(count() / ((least({p0:Int64}, {p1:Int64} - step_ns) - greatest(0, {p2:Int64} - step_ns)) / 1e9))] AS numbers
FROM (
  SELECT toUInt64(1) AS group_rank, CAST([], 'Array(Nullable(String))') AS names, step_ns, is_error, duration
  FROM (
    SELECT intDiv(toUnixTimestamp64Nano(start), {p0:Int64}) * {p0:Int64} AS step_ns, status = 2 AS is_error, duration_ns AS duration
    FROM spans FINAL
    WHERE (org = {p3:String}
      AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
      AND toUInt8(start < fromUnixTimestamp64Nano({p1:Int64}, 'UTC'))
      AND ((
          SELECT sum(repeats)
          FROM (
            SELECT count() AS repeats
            FROM repeated_spans
            WHERE (org = {p3:String}
              AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
              AND 1))) = 0
        OR (trace_id, span_id, start) NOT IN (
          SELECT trace_id, span_id, start
          FROM repeated_spans
          WHERE (org = {p3:String}
            AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
            AND 1)))
      AND service = {p5:String})))
GROUP BY group_rank, step_ns
ORDER BY group_rank, step_ns

-- p0 = "10000000000"
-- p1 = "1767225615000000000"
-- p2 = "1767225600000000000"
-- p3 = "acme"
-- p4 = "1767225620000000000"
-- p5 = "shop"

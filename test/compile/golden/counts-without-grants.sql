SELECT count() AS message_count, countIf(failed_step_count > 0) AS error_message_count, sum(step_count) AS matched_step_count, sum(failed_step_count) AS error_step_count
FROM (
  SELECT trace_id, length(arrayDistinct(groupArray(span_id))) AS step_count, length(arrayDistinct(groupArrayIf(span_id, bitTest(flags, 1)))) AS failed_step_count
  FROM (
    SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, toUInt8(1 * 1 + 2 * (status = 2)) AS flags
    FROM spans FINAL
    WHERE (org = {p0:String}
      AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND 0
      AND ((
          SELECT sum(repeats)
          FROM (
            SELECT count() AS repeats
            FROM repeated_spans
            WHERE (org = {p0:String}
              AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
              AND 1))) = 0
        OR (trace_id, span_id, start) NOT IN (
          SELECT trace_id, span_id, start
          FROM repeated_spans
          WHERE (org = {p0:String}
            AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
            AND 1)))
      AND 1))
  GROUP BY trace_id )

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225660000000000"

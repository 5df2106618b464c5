SELECT count() AS message_count, countIf(failed_step_count > 0) AS error_message_count, sum(step_count) AS matched_step_count, sum(failed_step_count) AS error_step_count
FROM (
  SELECT trace_id, length(arrayDistinct(groupArrayIf(span_id, bitTest(flags, 0)))) AS step_count, length(arrayDistinct(groupArrayIf(span_id, bitAnd(flags, 3) = 3))) AS failed_step_count
  FROM (
    SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, toUInt8(1 * (['unset', 'ok', 'error'][status + 1] = {p0:String}) + 2 * (status = 2)) AS flags
    FROM spans FINAL
    WHERE (org = {p1:String}
      AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
      AND ((
          SELECT sum(repeats)
          FROM (
            SELECT count() AS repeats
            FROM repeated_spans
            WHERE (org = {p1:String}
              AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
              AND 1))) = 0
        OR (trace_id, span_id, start) NOT IN (
          SELECT trace_id, span_id, start
          FROM repeated_spans
          WHERE (org = {p1:String}
            AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
            AND 1)))
      AND (((service = {p4:String})
          OR (service = {p5:String}))
        AND ((service = {p4:String})
          OR (service = {p5:String})))))
  GROUP BY trace_id
  HAVING max(bitTest(flags, 0)))

-- p0 = "error"
-- p1 = "acme"
-- p2 = "1767225600000000000"
-- p3 = "1767225660000000000"
-- p4 = "web"
-- p5 = "bank"

SELECT place, any(names) AS names, step_ns, [toFloat64(quantileExact(0.499999999999)(duration) / 1e6)] AS numbers
FROM (
  SELECT toUInt64(1) AS place, CAST([], 'Array(Nullable(String))') AS names, step_ns, is_error, duration
  FROM (
    SELECT toInt64(0) AS step_ns, status = 2 AS is_error, duration_ns AS duration
    FROM spans FINAL
    WHERE (org = {p0:String}
      AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND (service = {p3:String}
        AND kind = 1
        AND ((trace_id, span_id, start) NOT IN (
            SELECT trace_id, span_id, arrayJoin(arrayPopFront(arrayMap(row -> row.2, arraySort(row -> (18446744073709551615 - row.1, row.2), groupArray((stored_rank, start)))))) AS later_start
            FROM spans FINAL
            WHERE (org = {p0:String}
              AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
              AND trace_id IN (
                SELECT trace_id
                FROM spans FINAL
                WHERE (org = {p0:String}
                  AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
                  AND trace_id IN (
                    SELECT trace_id
                    FROM spans FINAL
                    WHERE (org = {p0:String}
                      AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
                      AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
                      AND 1)
                    GROUP BY trace_id
                    HAVING intDiv(toUnixTimestamp64Nano(min(start)), 10000000000) != intDiv(toUnixTimestamp64Nano(max(start)), 10000000000)))
                GROUP BY trace_id
                HAVING count() != uniqExact(span_id)))
            GROUP BY trace_id, span_id
            HAVING count() > 1))))))
GROUP BY place, step_ns
ORDER BY place, step_ns

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225615000000000"
-- p3 = "shop"

SELECT group_rank, max(group_rank) OVER () AS group_count, CAST([group_0], 'Array(Nullable(String))') AS names, step_ns, toFloat64(value) AS value
FROM (
  SELECT *, dense_rank() OVER (ORDER BY peak DESC, group_0 NULLS FIRST) AS group_rank
  FROM (
    SELECT *, max(value) OVER (PARTITION BY group_0) AS peak
    FROM (
      SELECT *
      FROM (
        SELECT step_ns, sum(rate) AS value , group_0
        FROM (
          SELECT step_ns, sum(amount) / (sum(took_ns) / 1e9) AS rate , group_0
          FROM (
            SELECT series, intDiv(ns, {p0:Int64}) * {p0:Int64} AS step_ns, if(since_ns > 0, ns - greatest(since_ns, last_ns), 0) AS took_ns, before_ns > 0
            AND NOT is_delta
            AND NOT (is_monotonic
              AND if(current.1
                AND before.1, current.2 < before.2, current.3 < before.3)) AS is_difference, start_ns > 0
            AND start_ns < ns AS has_start, multiIf(is_delta, if(has_start, start_ns, last_ns), before_ns > 0, before_ns, has_start
              AND start_ns >= {p1:Int64}, start_ns, 0) AS since_ns, is_delta, multiIf(NOT is_difference, current.3, current.1
              AND before.1, toFloat64(toInt128(current.2) - toInt128(before.2)), current.3 - before.3) AS amount , group_0
            FROM (
              SELECT series, ns, start_ns, current, lagInFrame(ns) OVER of_series AS last_ns, lagInFrame(ns) OVER of_start AS before_ns, lagInFrame(current) OVER of_start AS before
              FROM (
                SELECT *
                FROM (
                  SELECT series, toUnixTimestamp64Nano(time) AS ns, toUnixTimestamp64Nano(start_time) AS start_ns, (value_type = 1, value_int, if(value_type = 1, toFloat64(value_int), value_double)) AS current
                  FROM metric_points FINAL
                  WHERE (org = {p2:String}
                    AND time >= fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
                    AND time < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
                    AND (metric = {p5:String}
                      AND series IN (
                        SELECT series
                        FROM metric_series
                        WHERE (org = {p2:String}
                          AND last_seen >= fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
                          AND first_seen < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
                          AND (metric = {p5:String}
                            AND (kind = {p6:UInt8}
                              AND unit = {p7:String})
                            AND (NOT if(ifNull(attributes.`tenant`.:String, '') != '', (ifNull(attributes.`tenant`.:String, '') IN ({p8:String})), (extract(resource_attributes, {p9:String}) IN ({p8:String})))))))
                      AND bitAnd(flags, {p10:UInt64}) = 0)))
                WHERE isFinite(current.3)) WINDOW of_series AS (PARTITION BY series
                ORDER BY ns ROWS BETWEEN 1 PRECEDING
                AND CURRENT ROW), of_start AS (PARTITION BY series, start_ns
                ORDER BY ns ROWS BETWEEN 1 PRECEDING
                AND CURRENT ROW)) AS points INNER JOIN (
              SELECT series, any(temporality) = 1 AS is_delta, any(monotonic) = 1 AS is_monotonic, any(substring(nullIf(attributes.`http%2Eroute`, ''), 2)) AS group_0
              FROM metric_series
              WHERE (org = {p2:String}
                AND last_seen >= fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
                AND first_seen < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
                AND (metric = {p5:String}
                  AND (kind = {p6:UInt8}
                    AND unit = {p7:String})
                  AND (NOT if(ifNull(attributes.`tenant`.:String, '') != '', (ifNull(attributes.`tenant`.:String, '') IN ({p8:String})), (extract(resource_attributes, {p9:String}) IN ({p8:String}))))))
              GROUP BY series) AS chosen USING (series)
            WHERE ns >= {p3:Int64}
            AND (is_delta
              OR since_ns > 0))
          WHERE took_ns > 0
          GROUP BY series, step_ns , group_0)
        GROUP BY step_ns , group_0)
      WHERE isFinite(value)))) QUALIFY group_rank <= {p11:Int64}
ORDER BY group_rank, step_ns

-- p0 = "60000000000"
-- p1 = "3000000000000"
-- p2 = "acme"
-- p3 = "3600000000000"
-- p4 = "7200000000000"
-- p5 = "http.requests"
-- p6 = "2"
-- p7 = "{request}"
-- p8 = "st-1"
-- p9 = "\\x{01}tenant\\x{02}([^\\x{03}]*)"
-- p10 = "1"
-- p11 = "5"

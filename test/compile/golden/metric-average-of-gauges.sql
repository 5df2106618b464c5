SELECT group_rank, max(group_rank) OVER () AS group_count, CAST([], 'Array(Nullable(String))') AS names, step_ns, toFloat64(value) AS value
FROM (
  SELECT *, toUInt64(1) AS group_rank
  FROM (
    SELECT *
    FROM (
      SELECT step_ns, avg(number) AS value 
      FROM (
        SELECT intDiv(ns, {p0:Int64}) * {p0:Int64} AS step_ns, ns, number 
        FROM (
          SELECT series, toUnixTimestamp64Nano(time) AS ns, if(value_type = 1, toFloat64(value_int), value_double) AS number
          FROM metric_points FINAL
          WHERE (org = {p1:String}
            AND time >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
            AND time < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
            AND (metric = {p4:String}
              AND series IN (
                SELECT series
                FROM metric_series
                WHERE (org = {p1:String}
                  AND last_seen >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
                  AND first_seen < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
                  AND (metric = {p4:String}
                    AND (kind = {p5:UInt8}
                      AND unit = {p6:String}))))
              AND bitAnd(flags, {p7:UInt64}) = 0))) AS points INNER JOIN (
          SELECT series, any(temporality) = 1 AS is_delta, any(monotonic) = 1 AS is_monotonic
          FROM metric_series
          WHERE (org = {p1:String}
            AND last_seen >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
            AND first_seen < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
            AND (metric = {p4:String}
              AND (kind = {p5:UInt8}
                AND unit = {p6:String})))
          GROUP BY series) AS chosen USING (series)
        WHERE isFinite(number))
      GROUP BY step_ns )
    WHERE isFinite(value))) QUALIFY group_rank <= {p8:Int64}
ORDER BY group_rank, step_ns

-- p0 = "60000000000"
-- p1 = "acme"
-- p2 = "3600000000000"
-- p3 = "7200000000000"
-- p4 = "http.requests"
-- p5 = "1"
-- p6 = ""
-- p7 = "1"
-- p8 = "5"

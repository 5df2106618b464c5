SELECT group_rank, max(group_rank) OVER () AS group_count, CAST([], 'Array(Nullable(String))') AS names, step_ns, toFloat64(value) AS value
FROM (
  SELECT *, toUInt64(1) AS group_rank
  FROM (
    SELECT *
    FROM (
      SELECT step_ns, found.1 + (found.2 - found.1) * (rank - (reached[position] - found.3)) / found.3 AS value 
      FROM (
        SELECT step_ns, arraySort(bucket -> (bucket.2, bucket.1), groupArray((low, high, observations))) AS sorted, arrayCumSum(bucket -> bucket.3, sorted) AS reached, 0.95 * reached[-1] AS rank, arrayFirstIndex(total -> total >= rank, reached) AS position, sorted[position] AS found 
        FROM (
          SELECT step_ns, if(bucket.2 = inf, bucket.1, bucket.2) AS high, if(bucket.1 = -inf, least(high, 0), bucket.1) AS low, toFloat64(sum(bucket.3)) AS observations 
          FROM (
            SELECT series, intDiv(ns, {p0:Int64}) * {p0:Int64} AS step_ns, if(since_ns > 0, ns - greatest(since_ns, last_ns), 0) AS took_ns, before_ns > 0
            AND NOT is_delta
            AND NOT (current.1 < before.1) AS is_difference, start_ns > 0
            AND start_ns < ns AS has_start, multiIf(is_delta, if(has_start, start_ns, last_ns), before_ns > 0, before_ns, has_start
              AND start_ns >= {p1:Int64}, start_ns, 0) AS since_ns, is_delta, arrayMap((now, then) -> toInt128(now) - toInt128(then) * is_difference, current.3, arrayResize(before.3, length(current.3))) AS counts, if(is_difference
              AND current.2 != before.2, [], arrayZip(arrayPushFront(current.2, -inf), arrayPushBack(current.2, inf), arrayResize(counts, length(current.2) + 1))) AS buckets 
            FROM (
              SELECT series, ns, start_ns, current, lagInFrame(ns) OVER of_series AS last_ns, lagInFrame(ns) OVER of_start AS before_ns, lagInFrame(current) OVER of_start AS before
              FROM (
                SELECT series, toUnixTimestamp64Nano(time) AS ns, toUnixTimestamp64Nano(start_time) AS start_ns, (count, bounds, bucket_counts) AS current
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
                            AND unit = {p7:String}))))
                    AND bitAnd(flags, {p8:UInt64}) = 0))) WINDOW of_series AS (PARTITION BY series
                ORDER BY ns ROWS BETWEEN 1 PRECEDING
                AND CURRENT ROW), of_start AS (PARTITION BY series, start_ns
                ORDER BY ns ROWS BETWEEN 1 PRECEDING
                AND CURRENT ROW)) AS points INNER JOIN (
              SELECT series, any(temporality) = 1 AS is_delta, any(monotonic) = 1 AS is_monotonic
              FROM metric_series
              WHERE (org = {p2:String}
                AND last_seen >= fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
                AND first_seen < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
                AND (metric = {p5:String}
                  AND (kind = {p6:UInt8}
                    AND unit = {p7:String})))
              GROUP BY series) AS chosen USING (series)
            WHERE ns >= {p3:Int64}
            AND (is_delta
              OR since_ns > 0))
          ARRAY JOIN buckets AS bucket
          WHERE bucket.3 > 0
          AND (isFinite(bucket.1)
            OR isFinite(bucket.2))
          GROUP BY step_ns, low, high )
        GROUP BY step_ns ))
    WHERE isFinite(value))) QUALIFY group_rank <= {p9:Int64}
ORDER BY group_rank, step_ns

-- p0 = "60000000000"
-- p1 = "3000000000000"
-- p2 = "acme"
-- p3 = "3600000000000"
-- p4 = "7200000000000"
-- p5 = "http.requests"
-- p6 = "3"
-- p7 = "s"
-- p8 = "1"
-- p9 = "5"

SELECT trace_id, started_ns, greatest(toUnixTimestamp64Micro(now64(6)), (
    SELECT toInt64(max({p0:UInt64} - stored_rank))
    FROM spans
    WHERE (org = {p1:String}
      AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
      AND stored_rank < toUInt64({p0:UInt64} - toUInt64(toUnixTimestamp64Micro(now64(6))))))) AS asked_micros
FROM (
  SELECT trace_id, toUnixTimestamp64Nano(min(start)) AS started_ns
  FROM (
    SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, toUInt8(1 * 1 + 2 * (status = 2)) AS flags
    FROM spans FINAL
    WHERE (org = {p1:String}
      AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
      AND ((
          SELECT sum(repeats)
          FROM (
            SELECT count() AS repeats
            FROM repeated_spans
            WHERE (org = {p1:String}
              AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
              AND 1))) = 0
        OR (trace_id, span_id, start) NOT IN (
          SELECT trace_id, span_id, start
          FROM repeated_spans
          WHERE (org = {p1:String}
            AND start >= fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
            AND 1)))
      AND 1))
  GROUP BY trace_id )
WHERE (started_ns, trace_id) < ({p5:Int64}, {p6:UInt128})
ORDER BY started_ns DESC, trace_id DESC
LIMIT {p7:UInt64}

-- p0 = "18446744073709551615"
-- p1 = "acme"
-- p2 = "1767225600000000000"
-- p3 = "1767225660000000000"
-- p4 = "1767225630000000000"
-- p5 = "1767225601000000000"
-- p6 = "163235428638617910985741743598021378050"
-- p7 = "10"

SELECT DISTINCT kind, unit
FROM metric_series
WHERE (org = {p0:String}
  AND last_seen >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
  AND first_seen < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
  AND ((first_seen >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
      OR last_seen < fromUnixTimestamp64Nano({p2:Int64}, 'UTC'))
    OR series IN (
      SELECT series
      FROM metric_points
      WHERE (org = {p0:String}
        AND time >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
        AND time < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
        AND (metric = {p3:String}
          AND series IN (
            SELECT series
            FROM metric_series
            WHERE (org = {p0:String}
              AND last_seen >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
              AND first_seen < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
              AND (metric = {p3:String}
                AND NOT (first_seen >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
                  OR last_seen < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')))))))))
  AND (metric = {p3:String}
    AND (NOT if(ifNull(attributes.`tenant`.:String, '') != '', (ifNull(attributes.`tenant`.:String, '') IN ({p4:String})), (extract(resource_attributes, {p5:String}) IN ({p4:String}))))))
ORDER BY kind, unit
LIMIT {p6:UInt64}

-- p0 = "acme"
-- p1 = "3600000000000"
-- p2 = "7200000000000"
-- p3 = "http.requests"
-- p4 = "st-1"
-- p5 = "\\x{01}tenant\\x{02}([^\\x{03}]*)"
-- p6 = "17"

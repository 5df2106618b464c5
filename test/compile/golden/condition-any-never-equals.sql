SELECT name
FROM spans FINAL
WHERE (org = {p0:String}
  AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
  AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
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
  AND (NOT if(attributes.`http%2Eroute` != '', (attributes.`http%2Eroute` IN ({p3:String}, {p4:String})), (extract(resource_attributes, {p5:String}) IN ({p3:String}, {p4:String})))))
ORDER BY start

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225660000000000"
-- p3 = "s/cart"
-- p4 = "y/cart"
-- p5 = "\\x{01}http\\x{2e}route\\x{02}([^\\x{03}]*)"

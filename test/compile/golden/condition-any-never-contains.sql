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
  AND (NOT if(attributes.`http%2Eroute` != '', (position(substring(attributes.`http%2Eroute`, 2), {p3:String}) > 0), (position(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p4:String}), {p5:String}, {p6:String}), {p7:String}, {p8:String}), {p9:String}, {p10:String}), {p11:String}, {p12:String}), 2), {p3:String}) > 0))))
ORDER BY start

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225660000000000"
-- p3 = "a"
-- p4 = "\\x{01}http\\x{2e}route\\x{02}([^\\x{03}]*)"
-- p5 = "\u0004A"
-- p6 = "\u0001"
-- p7 = "\u0004B"
-- p8 = "\u0002"
-- p9 = "\u0004C"
-- p10 = "\u0003"
-- p11 = "\u0004D"
-- p12 = "\u0004"

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
  AND (replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p3:String}), {p4:String}, {p5:String}), {p6:String}, {p7:String}), {p8:String}, {p9:String}), {p10:String}, {p11:String}) != ''
    AND startsWith(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p3:String}), {p4:String}, {p5:String}), {p6:String}, {p7:String}), {p8:String}, {p9:String}), {p10:String}, {p11:String}), 2), {p12:String})))
ORDER BY start

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225660000000000"
-- p3 = "\\x{01}region\\x{02}([^\\x{03}]*)"
-- p4 = "\u0004A"
-- p5 = "\u0001"
-- p6 = "\u0004B"
-- p7 = "\u0002"
-- p8 = "\u0004C"
-- p9 = "\u0003"
-- p10 = "\u0004D"
-- p11 = "\u0004"
-- p12 = "eu-w"

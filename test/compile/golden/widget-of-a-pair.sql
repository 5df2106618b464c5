SELECT place, any(names) AS names, step_ns, [toFloat64(count()), toFloat64(countIf(is_error) / count()), toFloat64(arraySort(groupArray(duration))[toUInt64(ceil(count() * 95 / 100))] / 1e6)] AS numbers
FROM (
  SELECT toUInt64(1) AS place, CAST([], 'Array(Nullable(String))') AS names, step_ns, is_error, duration
  FROM (
    SELECT toInt64(0) AS step_ns, status = 2 AS is_error, duration_ns AS duration
    FROM spans FINAL
    WHERE (org = {p0:String}
      AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND (service = {p3:String}
        AND ((((attributes.`io%2Ekind` IN ({p4:String}, {p5:String}))
              OR (NOT attributes.`io%2Ekind` != ''
                AND (extract(resource_attributes, {p6:String}) IN ({p4:String}, {p5:String}))))
            AND ((attributes.`io%2Erole` IN ({p7:String}, {p8:String}))
              OR (NOT attributes.`io%2Erole` != ''
                AND (extract(resource_attributes, {p9:String}) IN ({p7:String}, {p8:String})))))
          OR (NOT ((attributes.`io%2Ekind` != '')
              OR (NOT attributes.`io%2Ekind` != ''
                AND (extract(resource_attributes, {p6:String}) != '')))
            AND multiIf((attributes.`rpc%2Esystem` != ''), 1, 0)))))
    LIMIT 1 BY trace_id, span_id))
GROUP BY place, step_ns
ORDER BY place, step_ns

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225615000000000"
-- p3 = "shop"
-- p4 = "shttp"
-- p5 = "yhttp"
-- p6 = "\\x{01}io\\x{2e}kind\\x{02}([^\\x{03}]*)"
-- p7 = "sinput"
-- p8 = "yinput"
-- p9 = "\\x{01}io\\x{2e}role\\x{02}([^\\x{03}]*)"

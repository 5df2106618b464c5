SELECT place, any(names) AS names, step_ns, [toFloat64(count())] AS numbers
FROM (
  SELECT least(rank, {p0:UInt64} + 1) AS place, if(rank <= {p0:UInt64}, [attribute_0, attribute_1], []) AS names, span.1 AS step_ns, span.2 AS is_error, span.3 AS duration
  FROM (
    SELECT *, row_number() OVER (ORDER BY span_count DESC, attribute_0 NULLS FIRST, attribute_1 NULLS FIRST) AS rank
    FROM (
      SELECT attribute_0, attribute_1, count() AS span_count, groupArray((step_ns, is_error, duration)) AS spans_of_group
      FROM (
        SELECT substring(coalesce(nullIf(if(attributes.`http%2Eroute` != '', attributes.`http%2Eroute`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p1:String}), {p2:String}, {p3:String}), {p4:String}, {p5:String}), {p6:String}, {p7:String}), {p8:String}, {p9:String})), ''), nullIf(if(attributes.`url%2Epath` != '', attributes.`url%2Epath`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p10:String}), {p2:String}, {p3:String}), {p4:String}, {p5:String}), {p6:String}, {p7:String}), {p8:String}, {p9:String})), '')), 2) AS attribute_0, nullIf(replaceRegexpOne(extract(substring(coalesce(nullIf(if(attributes.`http%2Estatus_code` != '', attributes.`http%2Estatus_code`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p11:String}), {p2:String}, {p3:String}), {p4:String}, {p5:String}), {p6:String}, {p7:String}), {p8:String}, {p9:String})), ''), nullIf(if(attributes.`http%2Eresponse%2Estatus_code` != '', attributes.`http%2Eresponse%2Estatus_code`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p12:String}), {p2:String}, {p3:String}), {p4:String}, {p5:String}), {p6:String}, {p7:String}), {p8:String}, {p9:String})), '')), 2), '^[1-5][0-9][0-9]$'), '..$', 'xx'), '') AS attribute_1, toInt64(0) AS step_ns, status = 2 AS is_error, duration_ns AS duration
        FROM spans FINAL
        WHERE (org = {p13:String}
          AND start >= fromUnixTimestamp64Nano({p14:Int64}, 'UTC')
          AND start < fromUnixTimestamp64Nano({p15:Int64}, 'UTC')
          AND (service = {p16:String}
            AND ((((attributes.`io%2Ekind` IN ({p17:String}, {p18:String}))
                  OR (NOT attributes.`io%2Ekind` != ''
                    AND (extract(resource_attributes, {p19:String}) IN ({p17:String}, {p18:String}))))
                AND ((attributes.`io%2Erole` IN ({p20:String}, {p21:String}))
                  OR (NOT attributes.`io%2Erole` != ''
                    AND (extract(resource_attributes, {p22:String}) IN ({p20:String}, {p21:String})))))
              OR (NOT ((attributes.`io%2Ekind` != '')
                  OR (NOT attributes.`io%2Ekind` != ''
                    AND (extract(resource_attributes, {p19:String}) != '')))
                AND multiIf((attributes.`rpc%2Esystem` != ''), 1, 0)))))
        LIMIT 1 BY trace_id, span_id)
      GROUP BY attribute_0, attribute_1))
  ARRAY JOIN spans_of_group AS span)
GROUP BY place, step_ns
ORDER BY place, step_ns

-- p0 = "2"
-- p1 = "\\x{01}http\\x{2e}route\\x{02}([^\\x{03}]*)"
-- p2 = "\u0004A"
-- p3 = "\u0001"
-- p4 = "\u0004B"
-- p5 = "\u0002"
-- p6 = "\u0004C"
-- p7 = "\u0003"
-- p8 = "\u0004D"
-- p9 = "\u0004"
-- p10 = "\\x{01}url\\x{2e}path\\x{02}([^\\x{03}]*)"
-- p11 = "\\x{01}http\\x{2e}status\\x{5f}code\\x{02}([^\\x{03}]*)"
-- p12 = "\\x{01}http\\x{2e}response\\x{2e}status\\x{5f}code\\x{02}([^\\x{03}]*)"
-- p13 = "acme"
-- p14 = "1767225600000000000"
-- p15 = "1767225615000000000"
-- p16 = "shop"
-- p17 = "shttp"
-- p18 = "yhttp"
-- p19 = "\\x{01}io\\x{2e}kind\\x{02}([^\\x{03}]*)"
-- p20 = "sinput"
-- p21 = "yinput"
-- p22 = "\\x{01}io\\x{2e}role\\x{02}([^\\x{03}]*)"

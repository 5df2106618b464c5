SELECT group_rank, any(names) AS names, step_ns, [toFloat64(count()), toFloat64(countIf(is_error) / count()), toFloat64(quantileExact(0.949999999999)(duration) / 1e6)] AS numbers
FROM (
  SELECT toUInt64(1) AS group_rank, CAST([], 'Array(Nullable(String))') AS names, step_ns, is_error, duration
  FROM (
    SELECT if(attributes.`io%2Ekind` != '', if(attributes.`io%2Ekind` != '', transform(substring(attributes.`io%2Ekind`, 2), [{p0:String}, {p1:String}, {p2:String}, {p3:String}, {p4:String}, {p5:String}], [{p6:UInt8}, {p7:UInt8}, {p8:UInt8}, {p9:UInt8}, {p10:UInt8}, {p11:UInt8}], {p12:UInt8}), 0), if(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}) != '', transform(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), 2), [{p0:String}, {p1:String}, {p2:String}, {p3:String}, {p4:String}, {p5:String}], [{p6:UInt8}, {p7:UInt8}, {p8:UInt8}, {p9:UInt8}, {p10:UInt8}, {p11:UInt8}], {p12:UInt8}), 0)) AS kind_code, if(attributes.`io%2Erole` != '', if(attributes.`io%2Erole` != '', transform(substring(attributes.`io%2Erole`, 2), [{p22:String}, {p23:String}], [{p6:UInt8}, {p7:UInt8}], {p8:UInt8}), 0), if(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p24:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}) != '', transform(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p24:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), 2), [{p22:String}, {p23:String}], [{p6:UInt8}, {p7:UInt8}], {p8:UInt8}), 0)) AS role_code, toInt64(0) AS step_ns, status = 2 AS is_error, duration_ns AS duration
    FROM spans FINAL
    WHERE (org = {p25:String}
      AND start >= fromUnixTimestamp64Nano({p26:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p27:Int64}, 'UTC')
      AND toUInt8(start < fromUnixTimestamp64Nano({p28:Int64}, 'UTC'))
      AND ((
          SELECT sum(repeats)
          FROM (
            SELECT count() AS repeats
            FROM repeated_spans
            WHERE (org = {p25:String}
              AND start >= fromUnixTimestamp64Nano({p26:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p28:Int64}, 'UTC')
              AND 1))) = 0
        OR (trace_id, span_id, start) NOT IN (
          SELECT trace_id, span_id, start
          FROM repeated_spans
          WHERE (org = {p25:String}
            AND start >= fromUnixTimestamp64Nano({p26:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p28:Int64}, 'UTC')
            AND 1)))
      AND (service = {p29:String}
        AND if((kind_code > 0), if(kind_code <= {p11:UInt8}
            AND role_code BETWEEN 1
            AND {p7:UInt8}, toUInt8((kind_code - 1) * {p7:UInt8} + role_code), 0), multiIf((attributes.`rpc%2Esystem` != ''), {p12:UInt8}, 0)) = {p12:UInt8}))))
GROUP BY group_rank, step_ns
ORDER BY group_rank, step_ns

-- p0 = "file"
-- p1 = "queue"
-- p2 = "stream"
-- p3 = "http"
-- p4 = "db"
-- p5 = "email"
-- p6 = "1"
-- p7 = "2"
-- p8 = "3"
-- p9 = "4"
-- p10 = "5"
-- p11 = "6"
-- p12 = "7"
-- p13 = "\\x{01}io\\x{2e}kind\\x{02}([^\\x{03}]*)"
-- p14 = "\u0004A"
-- p15 = "\u0001"
-- p16 = "\u0004B"
-- p17 = "\u0002"
-- p18 = "\u0004C"
-- p19 = "\u0003"
-- p20 = "\u0004D"
-- p21 = "\u0004"
-- p22 = "input"
-- p23 = "output"
-- p24 = "\\x{01}io\\x{2e}role\\x{02}([^\\x{03}]*)"
-- p25 = "acme"
-- p26 = "1767225600000000000"
-- p27 = "1767225620000000000"
-- p28 = "1767225615000000000"
-- p29 = "shop"

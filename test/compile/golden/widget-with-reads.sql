SELECT group_rank, any(names) AS names, step_ns, [toFloat64(count())] AS numbers, arraySort(groupUniqArrayArray(reads_of_group)) AS reads
FROM (
  SELECT least(rank, {p0:UInt64} + 1) AS group_rank, if(rank <= {p0:UInt64}, [attribute_0], []) AS names, span.1 AS step_ns, span.2 AS is_error, span.3 AS duration, reads_of_group
  FROM (
    SELECT *, row_number() OVER (ORDER BY span_count DESC, attribute_0 NULLS FIRST) AS rank
    FROM (
      SELECT attribute_0, count() AS span_count, groupArray((step_ns, is_error, duration)) AS spans_of_group, groupUniqArray(reads) AS reads_of_group
      FROM (
        SELECT if(attributes.`io%2Ekind` != '', if(attributes.`io%2Ekind` != '', transform(substring(attributes.`io%2Ekind`, 2), [{p1:String}, {p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String}], [{p7:UInt8}, {p8:UInt8}, {p9:UInt8}, {p10:UInt8}, {p11:UInt8}, {p12:UInt8}], {p13:UInt8}), 0), if(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p14:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String}) != '', transform(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p14:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String}), 2), [{p1:String}, {p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String}], [{p7:UInt8}, {p8:UInt8}, {p9:UInt8}, {p10:UInt8}, {p11:UInt8}, {p12:UInt8}], {p13:UInt8}), 0)) AS kind_code, if(attributes.`io%2Erole` != '', if(attributes.`io%2Erole` != '', transform(substring(attributes.`io%2Erole`, 2), [{p23:String}, {p24:String}], [{p7:UInt8}, {p8:UInt8}], {p9:UInt8}), 0), if(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p25:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String}) != '', transform(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p25:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String}), 2), [{p23:String}, {p24:String}], [{p7:UInt8}, {p8:UInt8}], {p9:UInt8}), 0)) AS role_code, substring(coalesce(nullIf(if(attributes.`http%2Eroute` != '', attributes.`http%2Eroute`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p26:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String})), ''), nullIf(if(attributes.`url%2Epath` != '', attributes.`url%2Epath`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p27:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String})), '')), 2) AS attribute_0, toInt64(0) AS step_ns, status = 2 AS is_error, duration_ns AS duration, [toUInt8(indexOf([if(attributes.`http%2Eroute` != '', attributes.`http%2Eroute`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p26:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String})) != '', if(attributes.`url%2Epath` != '', attributes.`url%2Epath`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p27:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String})) != ''], 1) + if(arrayCount([if(attributes.`http%2Eroute` != '', attributes.`http%2Eroute`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p26:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String})) != '', if(attributes.`url%2Epath` != '', attributes.`url%2Epath`, replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p27:String}), {p15:String}, {p16:String}), {p17:String}, {p18:String}), {p19:String}, {p20:String}), {p21:String}, {p22:String})) != '']) > 1, {p28:UInt8}, 0)), toUInt8(NOT (kind_code > 0))] AS reads
        FROM spans FINAL
        WHERE (org = {p29:String}
          AND start >= fromUnixTimestamp64Nano({p30:Int64}, 'UTC')
          AND start < fromUnixTimestamp64Nano({p31:Int64}, 'UTC')
          AND toUInt8(start < fromUnixTimestamp64Nano({p32:Int64}, 'UTC'))
          AND ((
              SELECT sum(repeats)
              FROM (
                SELECT count() AS repeats
                FROM repeated_spans
                WHERE (org = {p29:String}
                  AND start >= fromUnixTimestamp64Nano({p30:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p32:Int64}, 'UTC')
                  AND 1))) = 0
            OR (trace_id, span_id, start) NOT IN (
              SELECT trace_id, span_id, start
              FROM repeated_spans
              WHERE (org = {p29:String}
                AND start >= fromUnixTimestamp64Nano({p30:Int64}, 'UTC')
                AND start < fromUnixTimestamp64Nano({p32:Int64}, 'UTC')
                AND 1)))
          AND (service = {p33:String}
            AND if((kind_code > 0), if(kind_code <= {p12:UInt8}
                AND role_code BETWEEN 1
                AND {p8:UInt8}, toUInt8((kind_code - 1) * {p8:UInt8} + role_code), 0), multiIf((attributes.`rpc%2Esystem` != ''), {p13:UInt8}, 0)) = {p13:UInt8})))
      GROUP BY attribute_0))
  ARRAY JOIN spans_of_group AS span)
GROUP BY group_rank, step_ns
ORDER BY group_rank, step_ns

-- p0 = "3"
-- p1 = "file"
-- p2 = "queue"
-- p3 = "stream"
-- p4 = "http"
-- p5 = "db"
-- p6 = "email"
-- p7 = "1"
-- p8 = "2"
-- p9 = "3"
-- p10 = "4"
-- p11 = "5"
-- p12 = "6"
-- p13 = "7"
-- p14 = "\\x{01}io\\x{2e}kind\\x{02}([^\\x{03}]*)"
-- p15 = "\u0004A"
-- p16 = "\u0001"
-- p17 = "\u0004B"
-- p18 = "\u0002"
-- p19 = "\u0004C"
-- p20 = "\u0003"
-- p21 = "\u0004D"
-- p22 = "\u0004"
-- p23 = "input"
-- p24 = "output"
-- p25 = "\\x{01}io\\x{2e}role\\x{02}([^\\x{03}]*)"
-- p26 = "\\x{01}http\\x{2e}route\\x{02}([^\\x{03}]*)"
-- p27 = "\\x{01}url\\x{2e}path\\x{02}([^\\x{03}]*)"
-- p28 = "100"
-- p29 = "acme"
-- p30 = "1767225600000000000"
-- p31 = "1767225620000000000"
-- p32 = "1767225615000000000"
-- p33 = "shop"

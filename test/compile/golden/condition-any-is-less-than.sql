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
  AND if(ifNull(attributes.`amount`.:String, '') != '', multiIf(startsWith(ifNull(attributes.`amount`.:String, ''), {p3:String}), toInt64OrZero(substring(ifNull(attributes.`amount`.:String, ''), 2)) <= {p4:Int64}, startsWith(ifNull(attributes.`amount`.:String, ''), {p5:String}), toFloat64OrZero(substring(ifNull(attributes.`amount`.:String, ''), 2)) < {p6:Float64}, (match(substring(ifNull(attributes.`amount`.:String, ''), 2), {p7:String})
        AND arrayExists((number, digits) -> (multiIf(digits = '', 0, startsWith(number, '-'), -1, 1) < {p8:Int64}
            OR (multiIf(digits = '', 0, startsWith(number, '-'), -1, 1) = {p8:Int64}
              AND (if(extract(number, '^[+-]?0*([0-9]*)') = '', -toInt64(length(extract(number, '^[+-]?0*\.(0*)'))), toInt64(length(extract(number, '^[+-]?0*([0-9]*)')))) + if(length(replaceRegexpOne(extract(number, '[eE]([+-]?[0-9]+)$'), '^[+-]?0*', '')) > 12, if(startsWith(extract(number, '[eE]([+-]?[0-9]+)$'), '-'), {p9:Int64}, {p10:Int64}), toInt64OrZero(replaceOne(extract(number, '[eE]([+-]?[0-9]+)$'), '+', ''))), digits) < ({p11:Int64}, {p12:String}))), [substring(ifNull(attributes.`amount`.:String, ''), 2)], [replaceRegexpOne(replaceRegexpOne(replaceRegexpAll(extract(substring(ifNull(attributes.`amount`.:String, ''), 2), '^[^eE]*'), '[^0-9]', ''), '^0+', ''), '0+$', '')]))), multiIf(startsWith(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), {p3:String}), toInt64OrZero(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), 2)) <= {p4:Int64}, startsWith(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), {p5:String}), toFloat64OrZero(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), 2)) < {p6:Float64}, (match(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), 2), {p7:String})
        AND arrayExists((number, digits) -> (multiIf(digits = '', 0, startsWith(number, '-'), -1, 1) < {p8:Int64}
            OR (multiIf(digits = '', 0, startsWith(number, '-'), -1, 1) = {p8:Int64}
              AND (if(extract(number, '^[+-]?0*([0-9]*)') = '', -toInt64(length(extract(number, '^[+-]?0*\.(0*)'))), toInt64(length(extract(number, '^[+-]?0*([0-9]*)')))) + if(length(replaceRegexpOne(extract(number, '[eE]([+-]?[0-9]+)$'), '^[+-]?0*', '')) > 12, if(startsWith(extract(number, '[eE]([+-]?[0-9]+)$'), '-'), {p9:Int64}, {p10:Int64}), toInt64OrZero(replaceOne(extract(number, '[eE]([+-]?[0-9]+)$'), '+', ''))), digits) < ({p11:Int64}, {p12:String}))), [substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), 2)], [replaceRegexpOne(replaceRegexpOne(replaceRegexpAll(extract(substring(replaceAll(replaceAll(replaceAll(replaceAll(extract(resource_attributes, {p13:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p19:String}), {p20:String}, {p21:String}), 2), '^[^eE]*'), '[^0-9]', ''), '^0+', ''), '0+$', '')])))))
ORDER BY start

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225660000000000"
-- p3 = "i"
-- p4 = "12"
-- p5 = "d"
-- p6 = "12.51"
-- p7 = "^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$"
-- p8 = "1"
-- p9 = "-1000000000000000"
-- p10 = "1000000000000000"
-- p11 = "2"
-- p12 = "1251"
-- p13 = "\\x{01}amount\\x{02}([^\\x{03}]*)"
-- p14 = "\u0004A"
-- p15 = "\u0001"
-- p16 = "\u0004B"
-- p17 = "\u0002"
-- p18 = "\u0004C"
-- p19 = "\u0003"
-- p20 = "\u0004D"
-- p21 = "\u0004"

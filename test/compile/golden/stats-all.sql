SELECT count() AS message_count, countIf(failed_step_count > 0) AS error_message_count, sum(step_count) AS matched_step_count, sum(failed_step_count) AS error_step_count, arraySort(groupUniqArrayArray(step_services)) AS services
FROM (
  SELECT trace_id, length(arrayDistinct(groupArrayIf(span_id, bitAnd(flags, 5) = 5))) AS step_count, length(arrayDistinct(groupArrayIf(span_id, bitAnd(flags, 7) = 7))) AS failed_step_count, groupUniqArrayIf(service, bitAnd(flags, 5) = 5) AS step_services
  FROM (
    SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, (service = {p0:String}) AS rule_0, (service = {p1:String}) AS rule_1, bitShiftLeft(toUInt64(rule_0), {p2:UInt64}) + bitShiftLeft(toUInt64(rule_1), {p3:UInt64}) AS rules_0, toUInt8(1 * 1 + 2 * (status = 2) + 4 * (rule_0
        OR rule_1)) AS flags
    FROM spans FINAL
    WHERE (org = {p4:String}
      AND start >= fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
      AND ((
          SELECT sum(repeats)
          FROM (
            SELECT count() AS repeats
            FROM repeated_spans
            WHERE (org = {p4:String}
              AND start >= fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
              AND 1))) = 0
        OR (trace_id, span_id, start) NOT IN (
          SELECT trace_id, span_id, start
          FROM repeated_spans
          WHERE (org = {p4:String}
            AND start >= fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
            AND 1)))
      AND (((service = {p0:String})
          OR (service = {p1:String}))
        AND ((service = {p0:String})
          OR (service = {p1:String})))))
  GROUP BY trace_id
  HAVING (max(bitAnd(flags, 5) = 5)
    AND groupBitOr(rules_0) = {p7:UInt64}))

-- p0 = "web"
-- p1 = "bank"
-- p2 = "0"
-- p3 = "1"
-- p4 = "acme"
-- p5 = "1767225600000000000"
-- p6 = "1767225660000000000"
-- p7 = "3"

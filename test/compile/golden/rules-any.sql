SELECT rule_group, sumForEach(message_bits) AS message_counts, sumForEach(failed_message_bits) AS error_message_counts, sumForEachArray(step_bits) AS matched_step_counts, sumForEachArray(failed_step_bits) AS error_step_counts
FROM (
  SELECT rule_group, arrayFilter(rules -> rules != 0, rules_of_spans) AS step_rules, arrayFilter(rules -> rules != 0, arrayMap((rules, flag) -> rules * bitTest(flag, {p0:UInt8}), rules_of_spans, flags)) AS failed_step_rules, arrayMap(bit -> bitAnd(bitShiftRight(arrayReduce('groupBitOr', step_rules), bit), 1), range({p1:UInt64})) AS message_bits, arrayMap(bit -> bitAnd(bitShiftRight(arrayReduce('groupBitOr', failed_step_rules), bit), 1), range({p1:UInt64})) AS failed_message_bits, arrayMap(rules -> arrayMap(bit -> bitAnd(bitShiftRight(rules, bit), 1), range({p1:UInt64})), step_rules) AS step_bits, arrayMap(rules -> arrayMap(bit -> bitAnd(bitShiftRight(rules, bit), 1), range({p1:UInt64})), failed_step_rules) AS failed_step_bits
  FROM (
    SELECT arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayFilter((row, occurrence) -> occurrence = 1, row_rules_0, occurrences) AS rules_of_spans_0
    FROM (
      SELECT trace_id, groupArrayIf(span_id, rules_0 != 0) AS row_ids, groupArrayIf(parent_id, rules_0 != 0) AS row_parents, groupArrayIf(flags, rules_0 != 0) AS row_flags, groupArrayIf(rules_0, rules_0 != 0) AS row_rules_0
      FROM (
        SELECT trace_id, span_id, parent_id, toUInt8({p2:UInt8} * (status = 2)) AS flags, toUInt32(bitShiftLeft(toUInt64((service = {p3:String})), {p4:UInt64}) + bitShiftLeft(toUInt64((service = {p5:String})), {p6:UInt64})) AS rules_0
        FROM spans FINAL
        WHERE (org = {p7:String}
          AND start >= fromUnixTimestamp64Nano({p8:Int64}, 'UTC')
          AND start < fromUnixTimestamp64Nano({p9:Int64}, 'UTC')
          AND ((
              SELECT sum(repeats)
              FROM (
                SELECT count() AS repeats
                FROM repeated_spans
                WHERE (org = {p7:String}
                  AND start >= fromUnixTimestamp64Nano({p8:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p9:Int64}, 'UTC')
                  AND 1))) = 0
            OR (trace_id, span_id, start) NOT IN (
              SELECT trace_id, span_id, start
              FROM repeated_spans
              WHERE (org = {p7:String}
                AND start >= fromUnixTimestamp64Nano({p8:Int64}, 'UTC')
                AND start < fromUnixTimestamp64Nano({p9:Int64}, 'UTC')
                AND 1)))
          AND (((service = {p3:String})
              OR (service = {p5:String}))
            AND ((service = {p3:String})
              OR (service = {p5:String})))))
      GROUP BY trace_id
      HAVING groupBitOr(rules_0) != 0))
  ARRAY JOIN [rules_of_spans_0] AS rules_of_spans, [{p4:UInt64}] AS rule_group)
GROUP BY rule_group

-- p0 = "0"
-- p1 = "32"
-- p2 = "1"
-- p3 = "web"
-- p4 = "0"
-- p5 = "bank"
-- p6 = "1"
-- p7 = "acme"
-- p8 = "1767225600000000000"
-- p9 = "1767225660000000000"

SELECT rule_group, sumForEach(message_bits) AS message_counts, sumForEach(failed_message_bits) AS error_message_counts, sumForEachArray(step_bits) AS matched_step_counts, sumForEachArray(failed_step_bits) AS error_step_counts
FROM (
  SELECT rule_group, arrayFilter(rules -> rules != 0, rules_of_spans) AS step_rules, arrayFilter(rules -> rules != 0, arrayMap((rules, flag) -> rules * bitTest(flag, {p0:UInt8}), rules_of_spans, flags)) AS failed_step_rules, arrayMap(bit -> bitAnd(bitShiftRight(arrayReduce('groupBitOr', step_rules), bit), 1), range({p1:UInt64})) AS message_bits, arrayMap(bit -> bitAnd(bitShiftRight(arrayReduce('groupBitOr', failed_step_rules), bit), 1), range({p1:UInt64})) AS failed_message_bits, arrayMap(rules -> arrayMap(bit -> bitAnd(bitShiftRight(rules, bit), 1), range({p1:UInt64})), step_rules) AS step_bits, arrayMap(rules -> arrayMap(bit -> bitAnd(bitShiftRight(rules, bit), 1), range({p1:UInt64})), failed_step_rules) AS failed_step_bits
  FROM (
    SELECT arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayFilter((row, occurrence) -> occurrence = 1, row_rules_0, occurrences) AS rules_of_spans_0, arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS rules_numbers)) AS links
    FROM (
      SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArray(rules_0) AS row_rules_0
      FROM (
        SELECT trace_id, span_id, parent_id, toUInt8({p2:UInt8} * (status = 2) + {p3:UInt8} * ((service = {p4:String})
            OR match(service, {p5:String}))) AS flags, toUInt32(bitShiftLeft(toUInt64(((service = {p4:String})
                AND if(ifNull(attributes.`tenant`.:String, '') != '', (ifNull(attributes.`tenant`.:String, '') IN ({p6:String})), (extract(resource_attributes, {p7:String}) IN ({p6:String}))))), {p8:UInt64}) + bitShiftLeft(toUInt64(match(service, {p5:String})), {p9:UInt64})) AS rules_0
        FROM spans FINAL
        WHERE (org = {p10:String}
          AND start >= fromUnixTimestamp64Nano({p11:Int64}, 'UTC')
          AND start < fromUnixTimestamp64Nano({p12:Int64}, 'UTC')
          AND ((
              SELECT sum(repeats)
              FROM (
                SELECT count() AS repeats
                FROM repeated_spans
                WHERE (org = {p10:String}
                  AND start >= fromUnixTimestamp64Nano({p11:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p12:Int64}, 'UTC')
                  AND 1))) = 0
            OR (trace_id, span_id, start) NOT IN (
              SELECT trace_id, span_id, start
              FROM repeated_spans
              WHERE (org = {p10:String}
                AND start >= fromUnixTimestamp64Nano({p11:Int64}, 'UTC')
                AND start < fromUnixTimestamp64Nano({p12:Int64}, 'UTC')
                AND 1)))
          AND 1))
      GROUP BY trace_id
      HAVING groupBitOr(rules_0) != 0))
  ARRAY JOIN [arrayMap((rules, flag, above) -> toUInt32(bitOr(rules, above * bitTest(flag, {p2:UInt8}))), rules_of_spans_0, flags, arrayPopFront(arrayMap(state -> toUInt32(bitAnd(state, 4294967295)), arrayReduceInRanges('any', arrayMap(position -> (position, 1), arrayMap(state -> bitShiftRight(state, 32), rules_0_packed)), arrayFold((states, round) -> arrayMap((state, above) -> bitOr(above, bitAnd(state, 4294967295)), states, if(length(states) <= {p13:UInt64}, arrayMap(position -> states[position], arrayMap(state -> bitShiftRight(state, 32), states)), arrayReduceInRanges('any', arrayMap(position -> (position, 1), arrayMap(state -> bitShiftRight(state, 32), states)), states))), range(toUInt64(ceil(log2(length(links) + 1)))), (arrayPushFront(arrayMap((link, bits) -> bitShiftLeft(toUInt64(link), 32) + bits, links, arrayMap(rules -> toUInt32(bitAnd(rules, {p9:UInt64})), rules_of_spans_0)), bitShiftLeft(toUInt64(1), 32)) AS rules_0_packed))))))] AS rules_of_spans, [{p8:UInt64}] AS rule_group)
GROUP BY rule_group

-- p0 = "0"
-- p1 = "32"
-- p2 = "1"
-- p3 = "2"
-- p4 = "web"
-- p5 = "(?s)\\A\\x{62}.*\\z"
-- p6 = "st-1"
-- p7 = "\\x{01}tenant\\x{02}([^\\x{03}]*)"
-- p8 = "0"
-- p9 = "1"
-- p10 = "acme"
-- p11 = "1767225600000000000"
-- p12 = "1767225660000000000"
-- p13 = "16"

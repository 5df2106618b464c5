SELECT count() AS message_count, countIf(failed_step_count > 0) AS error_message_count, sum(step_count) AS matched_step_count, sum(failed_step_count) AS error_step_count, arraySort(groupUniqArrayArray(step_services)) AS services
FROM (
  SELECT trace_id, arraySum(matched) AS step_count, arraySum((is_matched, flag) -> is_matched
    AND bitTest(flag, 1), matched, flags) AS failed_step_count, arrayDistinct(arrayFilter((service, is_matched) -> is_matched, services_of_spans, matched)) AS step_services
  FROM (
    SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayFilter((row, occurrence) -> occurrence = 1, row_services, occurrences) AS services_of_spans, arrayMap((flag, is_in_slice) -> toUInt8(bitTest(flag, 0)
        AND is_in_slice), flags, arrayMap((flag, below) -> toUInt8(bitTest(flag, 2)
          OR (bitTest(flag, 3)
            AND below)), flags, arrayPopFront(arrayMap(state -> toUInt8(bitAnd(state, 1)), arrayReduceInRanges('any', arrayMap(state -> (bitShiftRight(state, 1), 1), rules_packed), arrayFold((states, round) -> arrayMap((state, above) -> toUInt32(bitOr(above, bitAnd(state, 1))), states, if(length(states) <= {p0:UInt64}, arrayMap(position -> states[position], arrayMap(state -> bitShiftRight(state, 1), states)), arrayReduceInRanges('any', arrayMap(position -> (position, 1), arrayMap(state -> bitShiftRight(state, 1), states)), states))), range(toUInt64(ceil(log2(length(ids) + 1)))), (arrayPushFront(arrayMap((link, flag) -> toUInt32(2 * link + flag), arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS rules_numbers)), arrayMap(flag -> bitTest(flag, 4), flags)), toUInt32(2)) AS rules_packed))))))) AS anchors, anchors AS matched
    FROM (
      SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArray(service) AS row_services
      FROM (
        SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, ((service = {p1:String})
          AND if(ifNull(attributes.`tenant`.:String, '') != '', (ifNull(attributes.`tenant`.:String, '') IN ({p2:String})), (extract(resource_attributes, {p3:String}) IN ({p2:String})))) AS rule_0, match(service, {p4:String}) AS rule_1, bitShiftLeft(toUInt64(rule_0), {p5:UInt64}) + bitShiftLeft(toUInt64(rule_1), {p6:UInt64}) AS rules_0, toUInt8(1 * 1 + 2 * (status = 2) + 4 * bitOr(rule_1, rule_0) + 8 * ((service = {p1:String})
            OR match(service, {p4:String})) + 16 * rule_0) AS flags
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
          AND 1))
      GROUP BY trace_id
      HAVING (bitAnd(groupBitOr(flags), 5) = 5
        AND groupBitOr(rules_0) = {p10:UInt64})))
  WHERE has(anchors, 1))

-- p0 = "16"
-- p1 = "web"
-- p2 = "st-1"
-- p3 = "\\x{01}tenant\\x{02}([^\\x{03}]*)"
-- p4 = "(?s)\\A\\x{62}.*\\z"
-- p5 = "0"
-- p6 = "1"
-- p7 = "acme"
-- p8 = "1767225600000000000"
-- p9 = "1767225660000000000"
-- p10 = "3"

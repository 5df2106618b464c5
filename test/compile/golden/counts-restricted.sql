SELECT count() AS message_count, countIf(failed_step_count > 0) AS error_message_count, sum(step_count) AS matched_step_count, sum(failed_step_count) AS error_step_count
FROM (
  SELECT trace_id, length(arrayDistinct(groupArray(span_id))) AS step_count, length(arrayDistinct(groupArrayIf(span_id, bitTest(flags, 1)))) AS failed_step_count
  FROM (
    SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, toUInt8(1 * 1 + 2 * (status = 2)) AS flags
    FROM spans FINAL
    WHERE (org = {p0:String}
      AND start >= fromUnixTimestamp64Nano({p1:Int64}, 'UTC')
      AND start < fromUnixTimestamp64Nano({p2:Int64}, 'UTC')
      AND (((service = {p3:String})
          OR (service = {p4:String}))
        OR (trace_id, span_id) IN (
          SELECT trace_id, span_id
          FROM (
            SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayMap((flag, below) -> toUInt8(bitTest(flag, 2)
                OR (bitTest(flag, 3)
                  AND below)), flags, arrayPopFront(arrayMap(state -> toUInt8(bitAnd(state, 1)), arrayReduceInRanges('any', arrayMap(state -> (bitShiftRight(state, 1), 1), rules_packed), arrayFold((states, round) -> arrayMap((state, above) -> toUInt32(bitOr(above, bitAnd(state, 1))), states, if(length(states) <= {p5:UInt64}, arrayMap(position -> states[position], arrayMap(state -> bitShiftRight(state, 1), states)), arrayReduceInRanges('any', arrayMap(position -> (position, 1), arrayMap(state -> bitShiftRight(state, 1), states)), states))), range(toUInt64(ceil(log2(length(ids) + 1)))), (arrayPushFront(arrayMap((link, flag) -> toUInt32(2 * link + flag), arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS rules_numbers)), arrayMap(flag -> bitTest(flag, 4), flags)), toUInt32(2)) AS rules_packed)))))) AS in_slice
            FROM (
              SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags
              FROM (
                SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, ((service = {p3:String})
                  AND if(ifNull(attributes.`tenant`.:String, '') != '', (ifNull(attributes.`tenant`.:String, '') IN ({p6:String})), (extract(resource_attributes, {p7:String}) IN ({p6:String})))) AS rule_0, match(service, {p8:String}) AS rule_1, bitShiftLeft(toUInt64(rule_0), {p9:UInt64}) + bitShiftLeft(toUInt64(rule_1), {p10:UInt64}) AS rules_0, toUInt8(1 * 1 + 2 * (status = 2) + 4 * bitOr(rule_1, rule_0) + 8 * ((service = {p3:String})
                    OR match(service, {p8:String})) + 16 * rule_0) AS flags
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
                  AND 1))
              GROUP BY trace_id
              HAVING (bitAnd(groupBitOr(flags), 5) = 5
                AND groupBitOr(rules_0) = {p11:UInt64})))
          ARRAY JOIN ids AS span_id, in_slice AS is_in_slice
          WHERE is_in_slice))
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
      AND 1))
  GROUP BY trace_id )

-- p0 = "acme"
-- p1 = "1767225600000000000"
-- p2 = "1767225660000000000"
-- p3 = "web"
-- p4 = "bank"
-- p5 = "16"
-- p6 = "st-1"
-- p7 = "\\x{01}tenant\\x{02}([^\\x{03}]*)"
-- p8 = "(?s)\\A\\x{62}.*\\z"
-- p9 = "0"
-- p10 = "1"
-- p11 = "3"

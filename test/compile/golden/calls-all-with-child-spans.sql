SELECT from_service, to_service, count() AS span_count, countIf(bitTest(flag, 1)) AS error_count, quantileExact(0.499999999999)(duration) AS p50_ns, quantileExact(0.949999999999)(duration) AS p95_ns
FROM (
  SELECT if(caller = to_service, '', caller) AS from_service, to_service, flag, duration
  FROM (
    SELECT *, arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS callers_numbers)) AS links, arrayPushFront(arrayMap((link, stop, position) -> toUInt32(if(stop, position + 1, link)), links, in_slice, arrayEnumerate(links)), toUInt32(1)) AS first_ends, arrayFold((ends, round) -> if(length(ends) <= {p0:UInt64}, arrayMap(position -> ends[position], ends), arrayReduceInRanges('any', arrayMap(position -> (position, 1), ends), ends)), range(toUInt64(ceil(log2(length(ids) + 1)))), first_ends) AS last_ends, arrayFilter((position, stop) -> stop, arrayEnumerate(in_slice), in_slice) AS slice_positions, arrayFilter((link, stop) -> stop, links, in_slice) AS slice_links, arrayMap(position -> position - 1, arrayReduceInRanges('any', arrayMap(position -> (position, 1), slice_links), last_ends)) AS reached, arrayMap(number -> toUInt32(if(number > length(slice_positions), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(slice_positions, reached)), length(slice_positions) + 1) AS reached_numbers)) AS caller_positions, arrayReduceInRanges('any', arrayMap(position -> (position, 1), caller_positions), arrayPushFront(slice_services, '')) AS callers
    FROM (
      SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayMap((flag, below) -> toUInt8(bitTest(flag, 2)
          OR (bitTest(flag, 3)
            AND below)), flags, arrayPopFront(arrayMap(state -> toUInt8(bitAnd(state, 1)), arrayReduceInRanges('any', arrayMap(state -> (bitShiftRight(state, 1), 1), rules_packed), arrayFold((states, round) -> arrayMap((state, above) -> toUInt32(bitOr(above, bitAnd(state, 1))), states, if(length(states) <= {p0:UInt64}, arrayMap(position -> states[position], arrayMap(state -> bitShiftRight(state, 1), states)), arrayReduceInRanges('any', arrayMap(position -> (position, 1), arrayMap(state -> bitShiftRight(state, 1), states)), states))), range(toUInt64(ceil(log2(length(ids) + 1)))), (arrayPushFront(arrayMap((link, flag) -> toUInt32(2 * link + flag), arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS rules_numbers)), arrayMap(flag -> bitTest(flag, 4), flags)), toUInt32(2)) AS rules_packed)))))) AS in_slice, arrayFilter((occurrence, flag) -> bitAnd(flag, 12) != 0, occurrences, row_flags) AS candidate_occurrences, arrayFilter((is_in_slice, flag) -> bitAnd(flag, 12) != 0, in_slice, flags) AS candidates_in_slice, arrayFilter((row, is_in_slice) -> is_in_slice, arrayFilter((row, occurrence) -> occurrence = 1, row_services, candidate_occurrences), candidates_in_slice) AS slice_services, arrayFilter((row, is_in_slice) -> is_in_slice, arrayFilter((row, occurrence) -> occurrence = 1, row_durations, candidate_occurrences), candidates_in_slice) AS slice_durations, arrayFilter((flag, is_in_slice) -> is_in_slice, flags, in_slice) AS slice_flags
      FROM (
        SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArrayIf(service, bitAnd(flags, 12) != 0) AS row_services, groupArrayIf(duration_ns, bitAnd(flags, 12) != 0) AS row_durations
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
          AND groupBitOr(rules_0) = {p10:UInt64}))))
  ARRAY JOIN callers AS caller, slice_services AS to_service, slice_flags AS flag, slice_durations AS duration)
GROUP BY from_service, to_service
ORDER BY from_service, to_service

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

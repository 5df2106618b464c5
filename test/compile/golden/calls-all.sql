SELECT from_service, to_service, count() AS span_count, countIf(bitTest(flag, 1)) AS error_count, quantileExact(0.499999999999)(duration) AS p50_ns, quantileExact(0.949999999999)(duration) AS p95_ns
FROM (
  SELECT if(caller = to_service, '', caller) AS from_service, to_service, flag, duration
  FROM (
    SELECT *, arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS callers_numbers)) AS links, arrayPushFront(arrayMap((link, stop, position) -> toUInt32(if(stop, position + 1, link)), links, in_slice, arrayEnumerate(links)), toUInt32(1)) AS first_ends, arrayFold((ends, round) -> if(length(ends) <= {p0:UInt64}, arrayMap(position -> ends[position], ends), arrayReduceInRanges('any', arrayMap(position -> (position, 1), ends), ends)), range(toUInt64(ceil(log2(length(ids) + 1)))), first_ends) AS last_ends, arrayFilter((position, stop) -> stop, arrayEnumerate(in_slice), in_slice) AS slice_positions, arrayFilter((link, stop) -> stop, links, in_slice) AS slice_links, arrayMap(position -> position - 1, arrayReduceInRanges('any', arrayMap(position -> (position, 1), slice_links), last_ends)) AS reached, arrayMap(number -> toUInt32(if(number > length(slice_positions), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(slice_positions, reached)), length(slice_positions) + 1) AS reached_numbers)) AS caller_positions, arrayReduceInRanges('any', arrayMap(position -> (position, 1), caller_positions), arrayPushFront(slice_services, '')) AS callers
    FROM (
      SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayMap(flag -> bitTest(flag, 2), flags) AS in_slice, arrayFilter((occurrence, flag) -> bitAnd(flag, 12) != 0, occurrences, row_flags) AS candidate_occurrences, arrayFilter((is_in_slice, flag) -> bitAnd(flag, 12) != 0, in_slice, flags) AS candidates_in_slice, arrayFilter((row, occurrence) -> occurrence = 1, row_services, candidate_occurrences) AS slice_services, arrayFilter((row, occurrence) -> occurrence = 1, row_durations, candidate_occurrences) AS slice_durations, arrayFilter((flag, is_in_slice) -> is_in_slice, flags, in_slice) AS slice_flags
      FROM (
        SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArrayIf(service, bitAnd(flags, 12) != 0) AS row_services, groupArrayIf(duration_ns, bitAnd(flags, 12) != 0) AS row_durations
        FROM (
          SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, (service = {p1:String}) AS rule_0, (service = {p2:String}) AS rule_1, bitShiftLeft(toUInt64(rule_0), {p3:UInt64}) + bitShiftLeft(toUInt64(rule_1), {p4:UInt64}) AS rules_0, toUInt8(1 * 1 + 2 * (status = 2) + 4 * (rule_0
              OR rule_1)) AS flags
          FROM spans FINAL
          WHERE (org = {p5:String}
            AND start >= fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p7:Int64}, 'UTC')
            AND ((
                SELECT sum(repeats)
                FROM (
                  SELECT count() AS repeats
                  FROM repeated_spans
                  WHERE (org = {p5:String}
                    AND start >= fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
                    AND start < fromUnixTimestamp64Nano({p7:Int64}, 'UTC')
                    AND 1))) = 0
              OR (trace_id, span_id, start) NOT IN (
                SELECT trace_id, span_id, start
                FROM repeated_spans
                WHERE (org = {p5:String}
                  AND start >= fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p7:Int64}, 'UTC')
                  AND 1)))
            AND 1))
        GROUP BY trace_id
        HAVING (bitAnd(groupBitOr(flags), 5) = 5
          AND groupBitOr(rules_0) = {p8:UInt64}))))
  ARRAY JOIN callers AS caller, slice_services AS to_service, slice_flags AS flag, slice_durations AS duration)
GROUP BY from_service, to_service
ORDER BY from_service, to_service

-- p0 = "16"
-- p1 = "web"
-- p2 = "bank"
-- p3 = "0"
-- p4 = "1"
-- p5 = "acme"
-- p6 = "1767225600000000000"
-- p7 = "1767225660000000000"
-- p8 = "3"

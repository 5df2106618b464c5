SELECT from_service, to_service, count() AS call_count, countIf(bitTest(flag, 1)) AS error_count, quantileExact(0.499999999999)(duration) AS p50_ns, quantileExact(0.949999999999)(duration) AS p95_ns
FROM (
  SELECT from_service, to_service, flag, duration
  FROM (
    SELECT *, arrayPushFront(arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS callers_numbers)), toUInt32(1)) AS links, arrayPushFront(in_slice, toUInt8(0)) AS stops, arrayMap((link, stop, position) -> toUInt32(if(stop, position, link)), links, stops, arrayEnumerate(links)) AS first_ends, arrayFold((ends, round) -> arrayReduceInRanges('any', arrayMap(position -> (position, 1), ends), ends), range(toUInt64(ceil(log2(length(ids) + 1)))), first_ends) AS last_ends, arrayReduceInRanges('any', arrayMap(position -> (position, 1), links), last_ends) AS reached, arrayReduceInRanges('any', arrayMap(position -> (position, 1), reached), stops) AS is_reached, arrayReduceInRanges('any', arrayMap(position -> (position, 1), reached), arrayPushFront(services_of_spans, '')) AS reached_services, arrayPopFront(arrayMap((service, is_one) -> if(is_one, service, ''), reached_services, is_reached)) AS callers
    FROM (
      SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayFilter((row, occurrence) -> occurrence = 1, row_services, occurrences) AS services_of_spans, arrayFilter((row, occurrence) -> occurrence = 1, row_durations, occurrences) AS durations, arrayMap((flag, below) -> toUInt8(bitTest(flag, 2)
          OR (bitTest(flag, 3)
            AND below)), flags, arrayPopFront(arrayMap(state -> toUInt8(bitAnd(state, 1)), arrayReduceInRanges('any', arrayMap(state -> (bitShiftRight(state, 1), 1), rules_packed), arrayFold((states, round) -> arrayMap((state, above) -> toUInt32(bitOr(above, bitAnd(state, 1))), states, arrayReduceInRanges('any', arrayMap(state -> (bitShiftRight(state, 1), 1), states), states)), range(toUInt64(ceil(log2(length(ids) + 1)))), (arrayPushFront(arrayMap((link, flag) -> toUInt32(2 * link + flag), arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS rules_numbers)), arrayMap(flag -> bitTest(flag, 4), flags)), toUInt32(2)) AS rules_packed)))))) AS in_slice
      FROM (
        SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArray(service) AS row_services, groupArray(duration_ns) AS row_durations
        FROM (
          SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, ((service = {p0:String})
            AND ((ifNull(attributes.`tenant`.:String, '') IN ({p1:String}))
              OR (NOT (ifNull(attributes.`tenant`.:String, '') != '')
                AND (extract(resource_attributes, {p2:String}) IN ({p1:String}))))) AS rule_0, match(service, {p3:String}) AS rule_1, bitShiftLeft(toUInt64(rule_0), {p4:UInt64}) + bitShiftLeft(toUInt64(rule_1), {p5:UInt64}) AS rules_0, toUInt8(1 * 1 + 2 * (status = 2) + 4 * (rule_0
              OR rule_1) + 8 * ((service = {p0:String})
              OR match(service, {p3:String})) + 16 * rule_0) AS flags, 0 AS is_refuting
          FROM spans FINAL
          WHERE (org = {p6:String}
            AND start >= fromUnixTimestamp64Nano({p7:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p8:Int64}, 'UTC')
            AND (NOT EXISTS (
                SELECT 1
                FROM repeated_spans
                WHERE (org = {p6:String}
                  AND start >= fromUnixTimestamp64Nano({p7:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p8:Int64}, 'UTC')
                  AND 1))
              OR (trace_id, span_id, start) NOT IN (
                SELECT trace_id, span_id, start
                FROM repeated_spans
                WHERE (org = {p6:String}
                  AND start >= fromUnixTimestamp64Nano({p7:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p8:Int64}, 'UTC')
                  AND 1)))
            AND 1))
        GROUP BY trace_id
        HAVING (bitAnd(groupBitOr(flags), 5) = 5
          AND NOT max(is_refuting)
          AND groupBitOr(rules_0) = {p9:UInt64}))))
  ARRAY JOIN callers AS from_service, services_of_spans AS to_service, flags AS flag, durations AS duration, in_slice AS is_in_slice
  WHERE is_in_slice
  AND from_service != ''
  AND from_service != to_service)
GROUP BY from_service, to_service
ORDER BY from_service, to_service

-- p0 = "web"
-- p1 = "st-1"
-- p2 = "\\x{01}tenant\\x{02}([^\\x{03}]*)"
-- p3 = "(?s)\\A\\x{62}.*\\z"
-- p4 = "0"
-- p5 = "1"
-- p6 = "acme"
-- p7 = "1767225600000000000"
-- p8 = "1767225660000000000"
-- p9 = "3"

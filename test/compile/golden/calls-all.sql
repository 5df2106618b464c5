SELECT from_service, to_service, count() AS call_count, countIf(bitTest(flag, 1)) AS error_count, quantileExact(0.499999999999)(duration) AS p50_ns, quantileExact(0.949999999999)(duration) AS p95_ns
FROM (
  SELECT from_service, to_service, flag, duration
  FROM (
    SELECT *, arrayPushFront(arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS callers_numbers)), toUInt32(1)) AS links, arrayPushFront(in_slice, toUInt8(0)) AS stops, arrayMap((link, stop, position) -> toUInt32(if(stop, position, link)), links, stops, arrayEnumerate(links)) AS first_ends, arrayFold((ends, round) -> arrayReduceInRanges('any', arrayMap(position -> (position, 1), ends), ends), range(toUInt64(ceil(log2(length(ids) + 1)))), first_ends) AS last_ends, arrayReduceInRanges('any', arrayMap(position -> (position, 1), links), last_ends) AS reached, arrayReduceInRanges('any', arrayMap(position -> (position, 1), reached), stops) AS is_reached, arrayReduceInRanges('any', arrayMap(position -> (position, 1), reached), arrayPushFront(services_of_spans, '')) AS reached_services, arrayPopFront(arrayMap((service, is_one) -> if(is_one, service, ''), reached_services, is_reached)) AS callers
    FROM (
      SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayFilter((row, occurrence) -> occurrence = 1, row_services, occurrences) AS services_of_spans, arrayFilter((row, occurrence) -> occurrence = 1, row_durations, occurrences) AS durations, arrayMap(flag -> bitTest(flag, 2), flags) AS in_slice
      FROM (
        SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArray(service) AS row_services, groupArray(duration_ns) AS row_durations
        FROM (
          SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, (service = {p0:String}) AS rule_0, (service = {p1:String}) AS rule_1, bitShiftLeft(toUInt64(rule_0), {p2:UInt64}) + bitShiftLeft(toUInt64(rule_1), {p3:UInt64}) AS rules_0, toUInt8(1 * 1 + 2 * (status = 2) + 4 * (rule_0
              OR rule_1)) AS flags, 0 AS is_refuting
          FROM spans FINAL
          WHERE (org = {p4:String}
            AND start >= fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
            AND start < fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
            AND (NOT EXISTS (
                SELECT 1
                FROM repeated_spans
                WHERE (org = {p4:String}
                  AND start >= fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
                  AND 1))
              OR (trace_id, span_id, start) NOT IN (
                SELECT trace_id, span_id, start
                FROM repeated_spans
                WHERE (org = {p4:String}
                  AND start >= fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p6:Int64}, 'UTC')
                  AND 1)))
            AND 1))
        GROUP BY trace_id
        HAVING (bitAnd(groupBitOr(flags), 5) = 5
          AND NOT max(is_refuting)
          AND groupBitOr(rules_0) = {p7:UInt64}))))
  ARRAY JOIN callers AS from_service, services_of_spans AS to_service, flags AS flag, durations AS duration, in_slice AS is_in_slice
  WHERE is_in_slice
  AND from_service != ''
  AND from_service != to_service)
GROUP BY from_service, to_service
ORDER BY from_service, to_service

-- p0 = "web"
-- p1 = "bank"
-- p2 = "0"
-- p3 = "1"
-- p4 = "acme"
-- p5 = "1767225600000000000"
-- p6 = "1767225660000000000"
-- p7 = "3"

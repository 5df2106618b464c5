SELECT service
FROM (
  SELECT arrayJoin(slice_services) AS service
  FROM (
    SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayMap(flag -> bitTest(flag, 2), flags) AS in_slice, arrayFilter((occurrence, flag) -> bitAnd(flag, 12) != 0, occurrences, row_flags) AS candidate_occurrences, arrayFilter((is_in_slice, flag) -> bitAnd(flag, 12) != 0, in_slice, flags) AS candidates_in_slice, arrayFilter((row, occurrence) -> occurrence = 1, row_services, candidate_occurrences) AS slice_services, arrayFilter((flag, is_in_slice) -> is_in_slice, flags, in_slice) AS slice_flags
    FROM (
      SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArrayIf(service, bitAnd(flags, 12) != 0) AS row_services
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
GROUP BY service
ORDER BY service

-- p0 = "web"
-- p1 = "bank"
-- p2 = "0"
-- p3 = "1"
-- p4 = "acme"
-- p5 = "1767225600000000000"
-- p6 = "1767225660000000000"
-- p7 = "3"

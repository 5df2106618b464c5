SELECT service, count() AS span_count, countIf(bitTest(flag, 1)) AS error_count
FROM (
  SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayFilter((row, occurrence) -> occurrence = 1, row_services, occurrences) AS services_of_spans, arrayMap(flag -> bitTest(flag, 2), flags) AS in_slice
  FROM (
    SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArray(service) AS row_services
    FROM (
      SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, (service = {p0:String}) AS rule_0, (service = {p1:String}) AS rule_1, toUInt8(1 * 1 + 2 * (status = 2) + 4 * (rule_0
          OR rule_1)) AS flags, 0 AS is_refuting
      FROM spans FINAL
      WHERE (org = {p2:String}
        AND start >= fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
        AND start < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
        AND (NOT EXISTS (
            SELECT 1
            FROM repeated_spans
            WHERE (org = {p2:String}
              AND start >= fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
              AND 1))
          OR (trace_id, span_id, start) NOT IN (
            SELECT trace_id, span_id, start
            FROM repeated_spans
            WHERE (org = {p2:String}
              AND start >= fromUnixTimestamp64Nano({p3:Int64}, 'UTC')
              AND start < fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
              AND 1)))
        AND 1))
    GROUP BY trace_id
    HAVING (bitAnd(groupBitOr(flags), 5) = 5
      AND NOT max(is_refuting))))
ARRAY JOIN services_of_spans AS service, flags AS flag, in_slice AS is_in_slice
WHERE is_in_slice
GROUP BY service
ORDER BY service

-- p0 = "web"
-- p1 = "bank"
-- p2 = "acme"
-- p3 = "1767225600000000000"
-- p4 = "1767225660000000000"

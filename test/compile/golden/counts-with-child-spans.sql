SELECT count() AS message_count, countIf(failed_step_count > 0) AS error_message_count, sum(step_count) AS matched_step_count, sum(failed_step_count) AS error_step_count
FROM (
  SELECT trace_id, arraySum(matched) AS step_count, arraySum((is_matched, flag) -> is_matched
    AND bitTest(flag, 1), matched, flags) AS failed_step_count
  FROM (
    SELECT trace_id, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayMap((flag, is_in_slice) -> toUInt8(bitTest(flag, 0)
        AND is_in_slice), flags, arrayMap(flag -> toUInt8(1), flags)) AS anchors, arrayMap((is_anchor, is_below) -> toUInt8(is_anchor
        OR is_below), anchors, arrayPopFront(arrayMap(state -> toUInt8(bitAnd(state, 1)), arrayReduceInRanges('any', arrayMap(state -> (bitShiftRight(state, 1), 1), anchors_packed), arrayFold((states, round) -> arrayMap((state, above) -> toUInt32(bitOr(above, bitAnd(state, 1))), states, if(length(states) <= {p0:UInt64}, arrayMap(position -> states[position], arrayMap(state -> bitShiftRight(state, 1), states)), arrayReduceInRanges('any', arrayMap(position -> (position, 1), arrayMap(state -> bitShiftRight(state, 1), states)), states))), range(toUInt64(ceil(log2(length(ids) + 1)))), (arrayPushFront(arrayMap((link, flag) -> toUInt32(2 * link + flag), arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS anchors_numbers)), anchors), toUInt32(2)) AS anchors_packed)))))) AS matched
    FROM (
      SELECT trace_id, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags
      FROM (
        SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, toUInt8(1 * if(ifNull(attributes.`tenant`.:String, '') != '', (ifNull(attributes.`tenant`.:String, '') IN ({p1:String})), (extract(resource_attributes, {p2:String}) IN ({p1:String}))) + 2 * (status = 2)) AS flags
        FROM spans FINAL
        WHERE (org = {p3:String}
          AND start >= fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
          AND start < fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
          AND ((
              SELECT sum(repeats)
              FROM (
                SELECT count() AS repeats
                FROM repeated_spans
                WHERE (org = {p3:String}
                  AND start >= fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
                  AND 1))) = 0
            OR (trace_id, span_id, start) NOT IN (
              SELECT trace_id, span_id, start
              FROM repeated_spans
              WHERE (org = {p3:String}
                AND start >= fromUnixTimestamp64Nano({p4:Int64}, 'UTC')
                AND start < fromUnixTimestamp64Nano({p5:Int64}, 'UTC')
                AND 1)))
          AND 1))
      GROUP BY trace_id
      HAVING bitTest(groupBitOr(flags), 0)))
  WHERE (has(anchors, 1)
    AND (failed_step_count > 0)))

-- p0 = "16"
-- p1 = "st-1"
-- p2 = "\\x{01}tenant\\x{02}([^\\x{03}]*)"
-- p3 = "acme"
-- p4 = "1767225600000000000"
-- p5 = "1767225660000000000"

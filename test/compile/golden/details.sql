SELECT trace_id, started_ns, ended_ns, root, services, span_count, error_count, step_count AS matched_step_count, failed_step_count AS error_step_count, arraySlice(arrayDistinct(arrayMap(step -> step.2, arraySort(matched_steps))), 1, {p0:UInt64}) AS matched_step_ids
FROM (
  SELECT trace_id, started_ns, ended_ns, root, services, span_count, error_count, arraySum(matched) AS step_count, arraySum((is_matched, flag) -> is_matched
    AND bitTest(flag, 1), matched, flags) AS failed_step_count, arrayFilter((step, is_matched) -> is_matched, arrayZip(starts, ids), matched) AS matched_steps
  FROM (
    SELECT trace_id, started_ns, ended_ns, root, services, span_count, error_count, arrayEnumerateUniq(row_ids) AS occurrences, arrayFilter((row, occurrence) -> occurrence = 1, row_ids, occurrences) AS ids, arrayFilter((row, occurrence) -> occurrence = 1, row_parents, occurrences) AS parents, arrayFilter((row, occurrence) -> occurrence = 1, row_flags, occurrences) AS flags, arrayFilter((row, occurrence) -> occurrence = 1, row_starts, occurrences) AS starts, arrayMap((flag, is_in_slice) -> toUInt8(bitTest(flag, 0)
        AND is_in_slice), flags, arrayMap(flag -> bitTest(flag, 2), flags)) AS anchors, arrayMap((is_anchor, is_below) -> toUInt8(is_anchor
        OR is_below), anchors, arrayPopFront(arrayMap(state -> toUInt8(bitAnd(state, 1)), arrayReduceInRanges('any', arrayMap(state -> (bitShiftRight(state, 1), 1), anchors_packed), arrayFold((states, round) -> arrayMap((state, above) -> toUInt32(bitOr(above, bitAnd(state, 1))), states, if(length(states) <= {p1:UInt64}, arrayMap(position -> states[position], arrayMap(state -> bitShiftRight(state, 1), states)), arrayReduceInRanges('any', arrayMap(position -> (position, 1), arrayMap(state -> bitShiftRight(state, 1), states)), states))), range(toUInt64(ceil(log2(length(ids) + 1)))), (arrayPushFront(arrayMap((link, flag) -> toUInt32(2 * link + flag), arrayMap(number -> toUInt32(if(number > length(ids), 1, number + 1)), (arraySlice(arrayEnumerateDense(arrayConcat(ids, parents)), length(ids) + 1) AS anchors_numbers)), anchors), toUInt32(2)) AS anchors_packed)))))) AS matched
    FROM (
      SELECT trace_id, toUnixTimestamp64Nano(min(start)) AS started_ns, max(toUInt64(toUnixTimestamp64Nano(start)) + duration_ns) AS ended_ns, argMin((service, name), (parent_id != 0, start, span_id)) AS root, groupUniqArray(service) AS services, uniqExact(span_id) AS span_count, uniqExactIf(span_id, status = 2) AS error_count, groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags, groupArray(start) AS row_starts
      FROM (
        SELECT trace_id, span_id, parent_id, start, duration_ns, service, name, status, (service = {p2:String}) AS rule_0, (service = {p3:String}) AS rule_1, bitShiftLeft(toUInt64(rule_0), {p4:UInt64}) + bitShiftLeft(toUInt64(rule_1), {p5:UInt64}) AS rules_0, toUInt8(1 * if(ifNull(attributes.`tenant`.:String, '') != '', (ifNull(attributes.`tenant`.:String, '') IN ({p6:String})), (extract(resource_attributes, {p7:String}) IN ({p6:String}))) + 2 * (status = 2) + 4 * (rule_0
            OR rule_1)) AS flags
        FROM spans FINAL PREWHERE has({p8:Array(UInt128)}, trace_id)
        WHERE (org = {p9:String}
          AND start >= fromUnixTimestamp64Nano({p10:Int64}, 'UTC')
          AND start < fromUnixTimestamp64Nano({p11:Int64}, 'UTC')
          AND ((
              SELECT sum(repeats)
              FROM (
                SELECT count() AS repeats
                FROM repeated_spans
                WHERE (org = {p9:String}
                  AND start >= fromUnixTimestamp64Nano({p10:Int64}, 'UTC')
                  AND start < fromUnixTimestamp64Nano({p11:Int64}, 'UTC')
                  AND 1))) = 0
            OR (trace_id, span_id, start) NOT IN (
              SELECT trace_id, span_id, start
              FROM repeated_spans
              WHERE (org = {p9:String}
                AND start >= fromUnixTimestamp64Nano({p10:Int64}, 'UTC')
                AND start < fromUnixTimestamp64Nano({p11:Int64}, 'UTC')
                AND 1)))
          AND 1))
      GROUP BY trace_id
      HAVING (bitAnd(groupBitOr(flags), 5) = 5
        AND groupBitOr(rules_0) = {p12:UInt64})))
  WHERE has(anchors, 1))

-- p0 = "1000"
-- p1 = "16"
-- p2 = "web"
-- p3 = "bank"
-- p4 = "0"
-- p5 = "1"
-- p6 = "st-1"
-- p7 = "\\x{01}tenant\\x{02}([^\\x{03}]*)"
-- p8 = "[163235428638617910985741743598021378049,163235428638617910985741743598021378050]"
-- p9 = "acme"
-- p10 = "1767225600000000000"
-- p11 = "1767225660000000000"
-- p12 = "3"

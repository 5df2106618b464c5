-- A span that is sent again with another start can be in another interval of the sort key of spans, where storage cannot
-- recognize it. Ingest finds such rows by their traces and lists them in repeated_spans; queries exclude them
-- (sql/compile/repeated-spans.ts).
--
-- trace_intervals answers in which intervals a trace has spans. Its granules are small, because it is read by single traces.
CREATE TABLE IF NOT EXISTS trace_intervals
(
    org LowCardinality(String),
    trace_id UInt128 CODEC(ZSTD(1)),
    start DateTime64(9, 'UTC') CODEC(T64, ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (org, trace_id, toStartOfInterval(start, INTERVAL 10 SECOND))
SETTINGS
    non_replicated_deduplication_window = 100000,
    index_granularity = 512,
    min_compress_block_size = 16384;

CREATE TABLE IF NOT EXISTS repeated_spans
(
    org LowCardinality(String),
    trace_id UInt128,
    span_id UInt64,
    start DateTime64(9, 'UTC')
)
ENGINE = AggregatingMergeTree
ORDER BY (org, start, trace_id, span_id)
SETTINGS non_replicated_deduplication_window = 100000;

INSERT INTO trace_intervals
SELECT org, trace_id, any(start)
FROM spans
GROUP BY org, trace_id, toStartOfInterval(start, INTERVAL 10 SECOND)
SETTINGS max_bytes_before_external_group_by = 1000000000;

INSERT INTO repeated_spans
SELECT
    org,
    trace_id,
    span_id,
    arrayJoin(arrayPopFront(arraySort(row -> (18446744073709551615 - row.1, row.2), groupArray((stored_rank, start))))).2
FROM spans FINAL
GROUP BY org, trace_id, span_id
HAVING count() > 1
SETTINGS max_bytes_before_external_group_by = 1000000000;

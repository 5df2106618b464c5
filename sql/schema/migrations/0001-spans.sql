-- One row per span. docs/decisions/0001-spans-table.md explains the layout and the alternatives that were measured.
--
-- Rows of one trace that start in the same ten seconds are adjacent: a trace is a few ranges of rows, ids compress well, and
-- a time window is a range of the primary key. Rows with equal keys are the same span, and the row stored first wins
-- (stored_rank counts down), so a page of results that is pinned to a time keeps its spans.
--
-- Almost every query reads `start` of all rows in its window, and T64 decompresses three times as fast as Delta at the same
-- size. Rare attribute keys share 16 buckets per wide part instead of 32: reading a whole trace opens every bucket and takes a
-- fifth less, reading one key of a thousand takes a twelfth more (docs/optimisations.md).
CREATE TABLE IF NOT EXISTS spans
(
    org LowCardinality(String),
    trace_id UInt128 CODEC(ZSTD(1)),
    span_id UInt64,
    parent_id UInt64 CODEC(ZSTD(1)),
    start DateTime64(9, 'UTC') CODEC(T64, ZSTD(1)),
    duration_ns UInt64 CODEC(T64, ZSTD(1)),
    kind UInt8 CODEC(ZSTD(1)),
    status UInt8 CODEC(ZSTD(1)),
    flags UInt32 CODEC(ZSTD(1)),
    service LowCardinality(String),
    name LowCardinality(String),
    status_message LowCardinality(String),
    trace_state LowCardinality(String),
    scope_name LowCardinality(String),
    scope_version LowCardinality(String),
    scope_attributes LowCardinality(String),
    resource_attributes LowCardinality(String),
    attributes JSON(
        max_dynamic_paths = 32,
        max_dynamic_types = 1,
        `io%2Ekind` LowCardinality(String),
        `io%2Erole` LowCardinality(String),
        `http%2Eroute` LowCardinality(String),
        `http%2Emethod` LowCardinality(String),
        `http%2Estatus_code` LowCardinality(String),
        `http%2Erequest%2Emethod` LowCardinality(String),
        `http%2Eresponse%2Estatus_code` LowCardinality(String),
        `url%2Epath` LowCardinality(String),
        `server%2Eaddress` LowCardinality(String),
        `net%2Epeer%2Ename` LowCardinality(String),
        `peer%2Eservice` LowCardinality(String),
        `rpc%2Esystem` LowCardinality(String),
        `rpc%2Eservice` LowCardinality(String),
        `rpc%2Emethod` LowCardinality(String),
        `messaging%2Esystem` LowCardinality(String),
        `messaging%2Edestination%2Ename` LowCardinality(String),
        `messaging%2Eoperation` LowCardinality(String),
        `db%2Esystem` LowCardinality(String),
        `db%2Ename` LowCardinality(String),
        `db%2Eoperation` LowCardinality(String),
        `db%2Esql%2Etable` LowCardinality(String),
        `error%2Etype` LowCardinality(String),
        `file%2Ename` LowCardinality(String),
        `transfer%2Eprotocol` LowCardinality(String),
        `transfer%2Esource%2Ehost` LowCardinality(String),
        `transfer%2Esource%2Epath` LowCardinality(String)
    ) CODEC(ZSTD(1)),
    events String CODEC(ZSTD(1)),
    links String CODEC(ZSTD(1)),
    dropped_attributes_count UInt32 CODEC(ZSTD(1)),
    dropped_events_count UInt32 CODEC(ZSTD(1)),
    dropped_links_count UInt32 CODEC(ZSTD(1)),
    stored_rank UInt64 DEFAULT 18446744073709551615 - toUInt64(toUnixTimestamp64Micro(now64(6))) CODEC(Delta(8), ZSTD(1)),
    INDEX trace_id_bloom trace_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(stored_rank)
PARTITION BY toYYYYMMDD(start)
ORDER BY (org, toStartOfInterval(start, INTERVAL 10 SECOND), trace_id, span_id)
SETTINGS
    object_shared_data_serialization_version = 'map_with_buckets',
    object_shared_data_serialization_version_for_zero_level_parts = 'map_with_buckets',
    non_replicated_deduplication_window = 100000,
    ttl_only_drop_parts = 1,
    materialize_ttl_recalculate_only = 1,
    index_granularity = 8192,
    object_shared_data_buckets_for_wide_part = 16;

-- One row a span. The layout and what was measured against it: docs/decisions/0001-spans-table.md.
-- Rows of one trace that start in the same ten seconds lie together, so a trace is a few neighbouring rows, ids compress,
-- and a slice of time is a range of the primary key. Equal keys are one span: the row stored first stays (stored_rank
-- counts down), so a page that was answered as of a moment keeps its spans.
CREATE TABLE IF NOT EXISTS spans
(
    org LowCardinality(String),
    trace_id UInt128 CODEC(ZSTD(1)),
    span_id UInt64,
    parent_id UInt64 CODEC(ZSTD(1)),
    start DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
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
    materialize_ttl_recalculate_only = 1;

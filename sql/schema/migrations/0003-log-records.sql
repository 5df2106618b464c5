-- One row per log record. docs/decisions/0003-log-records-table.md explains the layout and the alternatives that were measured.
--
-- Records have no id of their own, so ClickHouse generates one, and equal records are all kept: a body that is sent again is
-- recognized by its deduplication token only. `time` is the event time, or else the observed time, or else the time of the
-- insert. The key contains it rounded to ten seconds, so that a time window is a range of the key.
--
-- `time` has the codec T64 and rare attribute keys share 16 buckets for the same reasons as in `spans`.
CREATE TABLE IF NOT EXISTS log_records
(
    org LowCardinality(String),
    id UInt64 DEFAULT generateSnowflakeID() CODEC(Delta(8), ZSTD(1)),
    trace_id UInt128 CODEC(ZSTD(1)),
    span_id UInt64 CODEC(ZSTD(1)),
    event_time DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
    observed_time DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
    time DateTime64(9, 'UTC')
        DEFAULT multiIf(
            toUnixTimestamp64Nano(event_time) != 0, event_time,
            toUnixTimestamp64Nano(observed_time) != 0, observed_time,
            now64(9, 'UTC'))
        CODEC(T64, ZSTD(1)),
    severity_number Int32 CODEC(ZSTD(1)),
    severity_text LowCardinality(String),
    event_name LowCardinality(String),
    flags UInt32 CODEC(ZSTD(1)),
    service LowCardinality(String),
    scope_name LowCardinality(String),
    scope_version LowCardinality(String),
    scope_attributes LowCardinality(String),
    resource_attributes LowCardinality(String),
    body String CODEC(ZSTD(1)),
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
    dropped_attributes_count UInt32 CODEC(ZSTD(1)),
    INDEX trace_id_bloom trace_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMMDD(time)
ORDER BY (org, toStartOfInterval(time, INTERVAL 10 SECOND), trace_id, id)
SETTINGS
    object_shared_data_serialization_version = 'map_with_buckets',
    object_shared_data_serialization_version_for_zero_level_parts = 'map_with_buckets',
    non_replicated_deduplication_window = 100000,
    ttl_only_drop_parts = 1,
    materialize_ttl_recalculate_only = 1,
    index_granularity = 8192,
    object_shared_data_buckets_for_wide_part = 16;

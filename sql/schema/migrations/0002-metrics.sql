-- Metrics: metric_series has a row for each series and day on which it has points, metric_points a row for each point.
-- docs/decisions/0002-metrics-tables.md explains the layout and what was measured.
--
-- A series is one stream of OpenTelemetry's data model. Its id is derived from metric name, kind, unit, temporality,
-- monotonicity, resource, scope and the attributes of its points. Every body stores its series along with its points. The rows
-- of one series and day merge into one with the earliest and the latest point, so a row always covers the points that came
-- with it. All other columns follow from the id, except description and metadata, of which any value is as good as another.
CREATE TABLE IF NOT EXISTS metric_series
(
    org LowCardinality(String),
    metric LowCardinality(String),
    series UInt128 CODEC(ZSTD(1)),
    first_seen SimpleAggregateFunction(min, DateTime64(9, 'UTC')) CODEC(ZSTD(1)),
    last_seen SimpleAggregateFunction(max, DateTime64(9, 'UTC')) CODEC(ZSTD(1)),
    kind SimpleAggregateFunction(any, UInt8) CODEC(ZSTD(1)),
    temporality SimpleAggregateFunction(any, UInt8) CODEC(ZSTD(1)),
    monotonic SimpleAggregateFunction(any, UInt8) CODEC(ZSTD(1)),
    unit SimpleAggregateFunction(any, LowCardinality(String)),
    description SimpleAggregateFunction(any, LowCardinality(String)),
    metadata SimpleAggregateFunction(any, LowCardinality(String)),
    service SimpleAggregateFunction(any, LowCardinality(String)),
    scope_name SimpleAggregateFunction(any, LowCardinality(String)),
    scope_version SimpleAggregateFunction(any, LowCardinality(String)),
    scope_attributes SimpleAggregateFunction(any, LowCardinality(String)),
    resource_attributes SimpleAggregateFunction(any, LowCardinality(String)),
    attributes SimpleAggregateFunction(any, JSON(
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
    )) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMMDD(first_seen)
ORDER BY (org, metric, series)
SETTINGS
    object_shared_data_serialization_version = 'map_with_buckets',
    object_shared_data_serialization_version_for_zero_level_parts = 'map_with_buckets',
    non_replicated_deduplication_window = 100000,
    ttl_only_drop_parts = 1,
    materialize_ttl_recalculate_only = 1;

-- Rows with equal keys are the same point, and the row stored first wins. Columns that do not apply to the kind of a point
-- are empty.
CREATE TABLE IF NOT EXISTS metric_points
(
    org LowCardinality(String),
    metric LowCardinality(String),
    series UInt128 CODEC(ZSTD(1)),
    time DateTime64(9, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    start_time DateTime64(9, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    flags UInt32 CODEC(ZSTD(1)),
    value_type UInt8 CODEC(ZSTD(1)),
    value_int Int64 CODEC(T64, ZSTD(1)),
    value_double Float64 CODEC(ZSTD(1)),
    count UInt64 CODEC(T64, ZSTD(1)),
    sum Nullable(Float64) CODEC(ZSTD(1)),
    min Nullable(Float64) CODEC(ZSTD(1)),
    max Nullable(Float64) CODEC(ZSTD(1)),
    bounds Array(Float64) CODEC(ZSTD(1)),
    bucket_counts Array(UInt64) CODEC(ZSTD(1)),
    scale Int32 CODEC(ZSTD(1)),
    zero_count UInt64 CODEC(ZSTD(1)),
    zero_threshold Float64 CODEC(ZSTD(1)),
    positive_offset Int32 CODEC(ZSTD(1)),
    positive_counts Array(UInt64) CODEC(ZSTD(1)),
    negative_offset Int32 CODEC(ZSTD(1)),
    negative_counts Array(UInt64) CODEC(ZSTD(1)),
    quantiles Array(Float64) CODEC(ZSTD(1)),
    quantile_values Array(Float64) CODEC(ZSTD(1)),
    exemplars String CODEC(ZSTD(1)),
    stored_rank UInt64 DEFAULT 18446744073709551615 - toUInt64(toUnixTimestamp64Micro(now64(6))) CODEC(Delta(8), ZSTD(1))
)
ENGINE = ReplacingMergeTree(stored_rank)
PARTITION BY toYYYYMMDD(time)
ORDER BY (org, metric, series, time)
SETTINGS
    non_replicated_deduplication_window = 100000,
    ttl_only_drop_parts = 1,
    materialize_ttl_recalculate_only = 1;

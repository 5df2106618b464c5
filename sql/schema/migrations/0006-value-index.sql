-- An index from values to places: where spans with a value are in `spans`, whose sort key begins with organization, ten
-- seconds (`bucket`) and trace id. A bit of `slots` is a 16th of the trace ids, by their first four bits.
-- docs/decisions/0006-value-index.md explains the layout and the alternatives that were measured.
--
-- `hash` is the hash of a key with a value, or of a key alone (sql/value-hash.ts). Different values may have one hash,
-- and entries may outlive their spans; both only make a search read rows in vain.
-- Entries are stored before their spans.
CREATE TABLE IF NOT EXISTS value_index
(
    org LowCardinality(String),
    hash UInt32 CODEC(Delta(4), ZSTD(1)),
    bucket DateTime64(0, 'UTC') CODEC(ZSTD(1)),
    slots SimpleAggregateFunction(groupBitOr, UInt16) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMMDD(bucket)
ORDER BY (org, hash, bucket)
SETTINGS
    non_replicated_deduplication_window = 100000,
    ttl_only_drop_parts = 1,
    materialize_ttl_recalculate_only = 1;

-- 1 for spans whose values are in the index. `tracefold migrate --backfill` adds spans of earlier versions.
ALTER TABLE spans ADD COLUMN IF NOT EXISTS is_indexed UInt8 DEFAULT 0 CODEC(ZSTD(1));

ALTER TABLE spans ADD INDEX IF NOT EXISTS is_indexed_minmax is_indexed TYPE minmax GRANULARITY 16;

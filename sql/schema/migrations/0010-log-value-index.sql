-- 1 for log records whose values are in `value_index`, with hashes of their own (`saltOf` in sql/value-hash.ts). The
-- sort key of log records begins as that of spans, so an entry names a range of either.
ALTER TABLE log_records ADD COLUMN IF NOT EXISTS is_indexed UInt8 DEFAULT 0 CODEC(ZSTD(1));

ALTER TABLE log_records ADD INDEX IF NOT EXISTS is_indexed_minmax is_indexed TYPE minmax GRANULARITY 16;

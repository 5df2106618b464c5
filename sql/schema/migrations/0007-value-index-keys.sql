-- The key of a value, so that the distinct values of keys can be counted without reading spans (sql/compile/value-counts.ts):
-- its hash, or 0 in entries that are not about the value of an attribute. If values of a key are not indexed, the entry
-- of the key alone has it, too. Entries of earlier versions have 0; the larger one remains when equal entries are merged.
ALTER TABLE value_index ADD COLUMN IF NOT EXISTS key_hash SimpleAggregateFunction(max, UInt32) CODEC(ZSTD(1));

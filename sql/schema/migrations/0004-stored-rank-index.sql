-- A search asks whether rows were stored later than now, by a server whose clock was ahead (sql/compile/messages.ts). Usually
-- there are none, and this index answers without reading a row.
ALTER TABLE spans ADD INDEX IF NOT EXISTS stored_rank_minmax stored_rank TYPE minmax GRANULARITY 1;

ALTER TABLE spans MATERIALIZE INDEX stored_rank_minmax;

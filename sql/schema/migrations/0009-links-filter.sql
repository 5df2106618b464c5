-- The page of a step asks which spans link to it, over two days (sql/compile/trace.ts). Most spans have no links, so without
-- this filter every step read a column of every span. Until ClickHouse has added the filter to a part in the background, it
-- reads the links of that part.
ALTER TABLE spans ADD INDEX IF NOT EXISTS links_filter
    extractAll(links, '\\{"t":"[0-9a-f]{32}","s":"[0-9a-f]{16}"') TYPE bloom_filter(0.001) GRANULARITY 1;

ALTER TABLE spans MATERIALIZE INDEX links_filter;

/**
 * By what rows are spread over the shards of a cluster: an expression over columns that ingest writes, so that a row that is
 * sent again goes where it went before. All of a trace is on one shard, and all of a series.
 */
export const shardingKeys = {
  spans: 'sipHash64(trace_id)',
  metric_series: 'sipHash64(series)',
  metric_points: 'sipHash64(series)',
  log_records: 'if(trace_id = 0, sipHash64(event_time, observed_time, body), sipHash64(trace_id))',
} as const

import type { ClickHouse } from '../server/clickhouse/client.ts'
import { windowFromNs } from './dataset.ts'
import type { Bench } from './section.ts'

export const logsOrg = 'logs'

const recordsPerInsert = 250_000

export interface LogsLoad extends Pick<Bench, 'seed' | 'progress'> {
  readonly records: number
}

/**
 * Loads log records over the hour: 25 services, ten records a trace, no trace id in one trace of eight, six attributes
 * with one key drawn from 10,000, and bodies of five forms that contain numbers. One record in six is an error.
 */
export async function loadLogs(clickhouse: ClickHouse, { records, seed, progress }: LogsLoad): Promise<void> {
  const bar = progress('log records', records)
  for (let first = 0; first < records; first += recordsPerInsert) {
    const count = Math.min(recordsPerInsert, records - first)
    await clickhouse.command(logsInsert(count), { first, records, seed })
    bar.update(first + count)
  }
  bar.stop()
  await clickhouse.command('OPTIMIZE TABLE log_records FINAL')
}

function logsInsert(records: number): string {
  return `
INSERT INTO log_records (org, trace_id, span_id, event_time, observed_time, severity_number, severity_text, service,
    scope_name, resource_attributes, body, attributes)
WITH
    {first:UInt64} + number AS n, intDiv(n, 10) AS t, cityHash64({seed:UInt64}, t) AS h,
    cityHash64({seed:UInt64}, n, 7) AS r,
    ['order %a of customer %b placed in %c ms', 'payment %a declined for customer %b after %c ms',
      'GET /api/products/%b 200 %c ms request %a',
     'cache miss for key cart:%b:%a took %c ms', 'retrying call to inventory attempt %c id %a'][1 + r % 5] AS form,
    toInt64(t * intDiv(36000000000000, {records:UInt64})) + toInt64(n % 10) * 3000000 + toInt64(r % 900000) AS offset_ns
SELECT
    '${logsOrg}', if(t % 8 = 0, 0, bitShiftLeft(toUInt128(h), 64) + cityHash64(h)),
    if(t % 8 = 0, 0, cityHash64(h, intDiv(n, 3))),
    fromUnixTimestamp64Nano(toInt64(${windowFromNs}) + offset_ns, 'UTC') AS happened,
    happened + toIntervalMillisecond(1), [9, 9, 9, 13, 17, 5][1 + r % 6],
    ['INFO', 'INFO', 'INFO', 'WARN', 'ERROR', 'DEBUG'][1 + r % 6],
    concat('service-', toString(r % 25)), 'logger', concat('\\x01host.name\\x02shost-', toString(h % 20), '\\x03'),
    concat('s',
      replaceAll(replaceAll(replaceAll(form, '%a', hex(r)), '%b', toString(h % 100000)), '%c', toString(r % 2000))),
    toJSONString(map(
        'thread%2Ename', concat('sexec-', toString(r % 64)), 'customer%2Eid', concat('s', toString(h % 10000)),
        'code%2Efunction', concat('scom.acme.Fn', toString(r % 500)), 'http%2Eroute',
        concat('s/api/', toString(r % 50)),
        'retry%2Ecount', concat('i', toString(r % 5)), concat('rare%2E', toString(r % 10000)), 'sv'))
FROM numbers(${records})
SETTINGS input_format_try_infer_dates = 0`
}

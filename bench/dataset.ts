import type { Bench } from './section.ts'

/** All benches ask about this hour. */
export const windowFromNs = 1_790_000_000n * 1_000_000_000n
export const windowToNs = windowFromNs + 3_600n * 1_000_000_000n

export const spansPerTrace = 12
const spansPerInsert = 600_000

/**
 * The worst case: traces of 12 spans over 25 services, spread over an hour, 20 attributes a span of which two keys come
 * from 10,000 and 300, 5 % errors, 1 % orphans. Rows are made by ClickHouse itself and go into the product's own table;
 * ingest is measured elsewhere. Parts are merged before anything is asked.
 */
export async function loadWorstCase({ server, spans, seed, progress }: Bench, org: string): Promise<void> {
  const traces = Math.floor(spans / spansPerTrace)
  const tracesPerInsert = spansPerInsert / spansPerTrace
  const bar = progress('spans of the worst case', spans)
  for (let first = 0; first < traces; first += tracesPerInsert) {
    const count = Math.min(tracesPerInsert, traces - first)
    await server.clickhouse.command(worstCaseInsert(count), { org, first, traces, seed })
    bar.update((first + count) * spansPerTrace)
  }
  bar.stop()
  await server.clickhouse.command('OPTIMIZE TABLE spans FINAL')
}

function worstCaseInsert(traces: number): string {
  return `
INSERT INTO spans (org, trace_id, span_id, parent_id, start, duration_ns, kind, status, service, name, resource_attributes, attributes)
WITH
    {first:UInt64} + intDiv(number, ${spansPerTrace}) AS t, number % ${spansPerTrace} AS j,
    cityHash64({seed:UInt64}, t) AS h, cityHash64({seed:UInt64}, t, j) AS r,
    ['gateway', 'checkout', 'ledger'][j + 1] AS fixed
SELECT
    {org:String}, bitShiftLeft(toUInt128(h), 64) + cityHash64(h), cityHash64({seed:UInt64}, t, j, 1),
    multiIf(j = 0, 0, r % 100 = 0, r, cityHash64({seed:UInt64}, t, if(j < 6, j - 1, intDiv(j, 2)), 1)),
    fromUnixTimestamp64Nano(toInt64(${windowFromNs}) + toInt64(t * intDiv(3590000000000, {traces:UInt64})) + j * 3000000 + r % 1000000, 'UTC'),
    1000000 + r % 100000000, 1 + j % 5, if(r % 20 = 0, 2, 0),
    if(fixed != '', fixed, concat('service-', toString((h + j) % 22))) AS service_name,
    concat(service_name, '/', toString(r % 4)),
    concat('\\x01deployment.environment\\x02sprod\\x03\\x01host.name\\x02shost-', toString(h % 20), '\\x03\\x01service.name\\x02s', service_name, '\\x03'),
    toJSONString(map(
        'http%2Eroute', concat('s/api/', toString(r % 50)), 'http%2Emethod', ['sGET', 'sPOST'][1 + r % 2],
        'http%2Estatus_code', ['i200', 'i200', 'i404', 'i500'][1 + r % 4], 'tenant', concat('st-', toString(h % 100)),
        'customer%2Eid', concat('s', toString(h % 10000)), 'db%2Esystem', ['smysql', 'spostgresql', 'sredis'][1 + r % 3],
        'db%2Eoperation', ['sSELECT', 'sINSERT'][1 + r % 2], 'thread%2Ename', concat('sexec-', toString(r % 64)),
        'net%2Epeer%2Ename', concat('shost-', toString(r % 200)), 'user_agent', 'sMozilla/5.0 (X11; Linux x86_64)',
        'order%2Eid', concat('s', hex(h)), 'region', ['seu', 'sus'][1 + h % 2], 'feature%2Eflag', concat('sf', toString(r % 30)),
        'retry%2Ecount', concat('i', toString(r % 5)), 'queue%2Ename', concat('sq', toString(r % 20)),
        'cache%2Ehit', ['btrue', 'bfalse'][1 + r % 2], 'code%2Efunction', concat('scom.acme.Fn', toString(r % 500)),
        'server%2Eport', 'i8080', concat('rare%2E', toString(r % 10000)), concat('sv', toString(r % 3)),
        concat('often%2E', toString(r % 300)), concat('sv', toString(r % 9))))
FROM numbers(${traces * spansPerTrace})
SETTINGS input_format_try_infer_dates = 0`
}

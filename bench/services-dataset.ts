import { spansPerTrace, windowFromNs } from './dataset.ts'
import type { Bench } from './section.ts'

export const serviceCount = 200
const spansPerInsert = 600_000

/** The service of every root span, which therefore has a twelfth of all spans. The others share the rest evenly. */
export const busiestService = 'service-0'
/** One in ten services sends no `io.kind` and has facets by classification rules only. */
export const unclassifiedServices: readonly string[] = Array.from(
  { length: serviceCount / 10 },
  (_, index) => `service-${10 * index + 9}`,
)

/**
 * Loads traces of 12 spans over 200 services within an hour. Every service handles requests, messages or files and
 * reads a database or calls others, with the attributes of the semantic conventions, 300 routes a service, 5 % errors.
 */
export async function loadServices({ server, spans, seed, progress }: Bench, org: string): Promise<void> {
  const traces = Math.floor(spans / spansPerTrace)
  const tracesPerInsert = spansPerInsert / spansPerTrace
  const bar = progress('spans of services', spans)
  for (let first = 0; first < traces; first += tracesPerInsert) {
    const count = Math.min(tracesPerInsert, traces - first)
    await server.clickhouse.command(servicesInsert(count), { org, first, traces, seed })
    bar.update((first + count) * spansPerTrace)
  }
  bar.stop()
  await server.clickhouse.command('OPTIMIZE TABLE spans FINAL')
}

const http = `map('http%2Eroute', concat('s/api/', toString(r % 300)), 'http%2Emethod', ['sGET', 'sPOST'][1 + r % 2],
  'http%2Estatus_code', ['i200', 'i200', 'i200', 'i404', 'i500'][1 + r % 5], 'net%2Epeer%2Ename',
  concat('shost-', toString(r % 40)))`
const queue = `map('messaging%2Esystem', 'skafka', 'messaging%2Edestination%2Ename',
    concat('stopic-', toString(r % 30)),
  'messaging%2Eoperation', ['spublish', 'sprocess'][1 + r % 2])`
const file = `map('file%2Ename', concat('sday-', toString(r % 2000), '.csv'), 'transfer%2Esource%2Ehost',
    concat('sftp-', toString(r % 9)),
  'transfer%2Eprotocol', 'ssftp')`
const database = `map('db%2Esystem', ['smysql', 'sredis'][1 + r % 2], 'db%2Ename', concat('sdb-', toString(r % 6)),
  'db%2Eoperation', ['sSELECT', 'sINSERT', 'sUPDATE'][1 + r % 3], 'db%2Esql%2Etable',
  concat('stable-', toString(r % 50)))`
const others = `map('tenant', concat('st-', toString(h % 100)), 'customer%2Eid', concat('s', toString(h % 10000)),
  'thread%2Ename', concat('sexec-', toString(r % 64)), concat('rare%2E', toString(r % 10000)),
  concat('sv', toString(r % 3)))`

/** The input and the output of a service, by the last digit of its number. */
const inputs = ['http', 'http', 'http', 'http', 'queue', 'queue', 'stream', 'file', 'http', 'http']
const outputs = ['http', 'db', 'db', 'queue', 'db', 'http', 'stream', 'file', 'email', 'db']

/** Returns a service that has a facet: by classification rules for `db-output`, otherwise the busiest if possible. */
export function serviceThatShows(slug: string): string {
  if (slug === 'db-output') return 'service-9'
  const [kind = '', role] = slug.split('-')
  const index = (role === 'input' ? inputs : outputs).indexOf(kind)
  return index === -1 ? busiestService : `service-${index}`
}

function texts(values: readonly string[]): string {
  return `[${values.map((value) => `'${value}'`).join(', ')}]`
}

function servicesInsert(traces: number): string {
  return `
INSERT INTO spans (org, trace_id, span_id, parent_id, start, duration_ns, kind, status, service, name,
    resource_attributes, attributes)
WITH
    {first:UInt64} + intDiv(number, ${spansPerTrace}) AS t, number % ${spansPerTrace} AS j,
    cityHash64({seed:UInt64}, t) AS h, cityHash64({seed:UInt64}, t, j) AS r,
    if(j = 0, 0, 1 + cityHash64(r) % ${serviceCount - 1}) AS s, r % 3 < 2 AS takes,
    if(takes, ${texts(inputs)}[1 + s % 10], ${texts(outputs)}[1 + s % 10]) AS io,
    concat('service-', toString(s)) AS service_name,
    toInt64(t * intDiv(3590000000000, {traces:UInt64})) + j * 3000000 + r % 1000000 AS offset_ns
SELECT
    {org:String}, bitShiftLeft(toUInt128(h), 64) + cityHash64(h), cityHash64({seed:UInt64}, t, j, 1),
    if(j = 0, 0, cityHash64({seed:UInt64}, t, if(j < 6, j - 1, intDiv(j, 2)), 1)),
    fromUnixTimestamp64Nano(toInt64(${windowFromNs}) + offset_ns, 'UTC'),
    1000000 + r % 100000000, 1 + j % 5, if(r % 20 = 0, 2, 0), service_name, concat(io, ' ', toString(r % 20)),
    concat('\\x01deployment.environment\\x02sprod\\x03\\x01host.name\\x02shost-', toString(h % 20),
      '\\x03\\x01service.name\\x02s', service_name, '\\x03'),
    toJSONString(mapConcat(${others},
        multiIf(io = 'http', ${http}, io = 'db', ${database}, io = 'file', ${file}, io = 'email',
          map('email.template', 'swelcome'), ${queue}),
        if(s % 10 = 9, map(), map('io%2Ekind', concat('s', io), 'io%2Erole', if(takes, 'sinput', 'soutput')))))
FROM numbers(${traces * spansPerTrace})
SETTINGS input_format_try_infer_dates = 0`
}

/**
 * Statements that generate the spans of the benchmark. They complete a subquery `spans` with the columns `h` (a number
 * of the trace), `r` (a number of the span), `span_id`, `parent_id`, `start_ns` and `service`.
 */

/** 20 attributes as tagged texts, the stored form of the product. */
const attributes = `map(
    'http.route', concat('s/api/', toString(r % 50)), 'http.method', ['sGET', 'sPOST'][1 + r % 2],
    'http.status_code', ['i200', 'i200', 'i404', 'i500'][1 + r % 4], 'tenant', concat('st-', toString(h % 100)),
    'customer.id', concat('s', toString(h % 10000)), 'db.system', ['smysql', 'spostgresql', 'sredis'][1 + r % 3],
    'db.operation', ['sSELECT', 'sINSERT'][1 + r % 2], 'thread.name', concat('sexec-', toString(r % 64)),
    'net.peer.name', concat('shost-', toString(r % 200)), 'user_agent', 'sMozilla/5.0 (X11; Linux x86_64)',
    'order.id', concat('s', hex(h)), 'region', ['seu', 'sus'][1 + h % 2], 'feature.flag',
    concat('sf', toString(r % 30)),
    'retry.count', concat('i', toString(r % 5)), 'queue.name', concat('sq', toString(r % 20)),
    'cache.hit', ['btrue', 'bfalse'][1 + r % 2], 'code.function', concat('scom.acme.Fn', toString(r % 500)),
    'server.port', 'i8080', concat('rare.', toString(r % 10000)), concat('sv', toString(r % 3)),
    concat('often.', toString(r % 300)), concat('sv', toString(r % 9)))`

function spanRows(spans: string): string {
  return `
SELECT
    bitShiftLeft(toUInt128(h), 64) + cityHash64(h) AS trace_id, span_id, parent_id,
    fromUnixTimestamp64Nano(toInt64(start_ns), 'UTC') AS start,
    1000000 + r % 100000000 AS duration_ns, 1 + j % 5 AS kind, if(r % 20 = 0, 2, 0) AS status, service,
    concat(service, '/', toString(r % 4)) AS name, concat('host-', toString(h % 20)) AS host,
    ${attributes} AS attributes
FROM (${spans})`
}

/** Returns the statement that inserts spans into the product's table. */
export function insertIntoSpans(spans: string): string {
  return `
INSERT INTO spans (org, trace_id, span_id, parent_id, start, duration_ns, kind, status, service, name,
    resource_attributes, attributes)
SELECT
    {org:String}, trace_id, span_id, parent_id, start, duration_ns, kind, status, service, name,
    concat('\\x01deployment.environment\\x02sprod\\x03\\x01host.name\\x02s', host, '\\x03\\x01service.name\\x02s',
      service, '\\x03'),
    toJSONString(mapApply((key, value) -> (replaceAll(key, '.', '%2E'), value), attributes))
FROM (${spanRows(spans)})
SETTINGS input_format_try_infer_dates = 0, max_insert_threads = 2`
}

/** Returns the statement that inserts spans into the table of the OpenTelemetry Collector's exporter. */
export function insertIntoPeer(spans: string): string {
  const id = (column: string, digits = 16) => `leftPad(lower(hex(${column})), ${digits}, '0')`
  return `
INSERT INTO otel_traces (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ResourceAttributes,
    SpanAttributes, Duration, StatusCode)
SELECT
    start, ${id('trace_id', 32)}, ${id('span_id')}, if(parent_id = 0, '', ${id('parent_id')}), name,
    ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'][1 + kind], service,
    map('deployment.environment', 'prod', 'host.name', host, 'service.name', service),
    mapApply((key, value) -> (key, substring(value, 2)), attributes), duration_ns, if(status = 2, 'Error', 'Unset')
FROM (${spanRows(spans)})`
}

/** Telemetry that no SDK sends is stored and reported equally over every protocol. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SignalName, sendGrpc } from '../support/grpc-client.ts'
import { encodeExport, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { type OtlpServer, send, startOtlpServer } from '../support/otlp-server.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import { allRowsOf } from './all-rows.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

const at = (ns: bigint | number) => String(drawnStartNs + BigInt(ns))
const ids = (n: number) => ({ traceId: n.toString(16).padStart(32, '0'), spanId: n.toString(16).padStart(16, '0') })
const text = (stringValue: string) => ({ stringValue })
const attribute = (key: string, value: object) => ({ key, value })
const span = (n: number, more: object = {}) => ({
  ...ids(n),
  name: `s${n}`,
  startTimeUnixNano: at(n),
  endTimeUnixNano: at(n + 5),
  ...more,
})

function nested(levels: number): object {
  let value: object = { intValue: '1' }
  for (let level = 0; level < levels; level++)
    value = level % 2 === 0 ? { arrayValue: { values: [value] } } : { kvlistValue: { values: [attribute('k', value)] } }
  return value
}

const spansOf = (spans: object[], resource: object[] = [], scope: object = {}) => ({
  resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope, spans }] }],
})
const logsOf = (logRecords: object[], resource: object[] = []) => ({
  resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [{ logRecords }] }],
})
const pointsOf = (dataPoints: object[], kind = 'gauge', more: object = {}) => ({
  resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', [kind]: { dataPoints, ...more } }] }] }],
})
const withAttributes = (...attributes: object[]) => spansOf([span(1, { attributes })])

const extremeTimes = ['0', '1', '9223372036854775807', '9223372036854775808', '18446744073709551615']
const many = (count: number) => Array.from({ length: count }, (_, n) => attribute(`k${n}`, { intValue: String(n) }))

const cases: readonly (readonly [what: string, signal: SignalName, json: object])[] = [
  ['a span id in several traces', 'traces', spansOf([1, 2, 3].map((n) => span(n, { spanId: ids(9).spanId })))],
  ['starts at the ends of time', 'traces', spansOf(extremeTimes.map((t, n) => span(n + 1, { startTimeUnixNano: t })))],
  ['ends at the ends of time', 'traces', spansOf(extremeTimes.map((t, n) => span(n + 1, { endTimeUnixNano: t })))],
  [
    'ends before starts',
    'traces',
    spansOf([0, 1, 999_999_999, 1_000_000_000, 1_000_000_001].map((n) => span(n + 1, { endTimeUnixNano: at(1) }))),
  ],
  ['100,000 attributes', 'traces', withAttributes(...many(100_000))],
  ['100,000 attributes of a resource', 'traces', spansOf([span(1)], many(100_000))],
  [
    'nested values',
    'traces',
    withAttributes(...[1, 2, 19, 20].map((levels) => attribute(`deep ${levels}`, nested(levels)))),
  ],
  [
    'lists of mixed values',
    'traces',
    withAttributes(
      attribute('mixed', {
        arrayValue: {
          values: [text(''), { intValue: '-9223372036854775808' }, { doubleValue: -0 }, { boolValue: false }, {}],
        },
      }),
      attribute('empty list', { arrayValue: {} }),
      attribute('empty kvlist', { kvlistValue: { values: [] } }),
      attribute('bytes', { bytesValue: Buffer.from([0, 255, 254]).toString('base64') }),
      attribute('no bytes', { bytesValue: '' }),
      attribute('unset', {}),
      attribute('kvlist', {
        kvlistValue: { values: [attribute('', {}), attribute('a', text('1')), attribute('a', {})] },
      }),
    ),
  ],
  [
    'numbers at the ends of their ranges',
    'traces',
    withAttributes(
      ...['9223372036854775807', '-9223372036854775808', '0'].map((n) => attribute(n, { intValue: n })),
      ...['NaN', 'Infinity', '-Infinity', 5e-324, 1.7976931348623157e308].map((n) =>
        attribute(`d ${n}`, { doubleValue: n }),
      ),
    ),
  ],
  [
    'empty, repeated and long keys',
    'traces',
    withAttributes(
      attribute('', text('empty')),
      attribute('twice', text('first')),
      attribute('twice', { intValue: '2' }),
      attribute('k'.repeat(256), text('256')),
      attribute('k'.repeat(257), text('257')),
      attribute('𝄞'.repeat(256), text('astral')),
      attribute('a.b\u0000%`"\' \n', text('\u0000\u001f\u007f\ufeff𝄞')),
    ),
  ],
  [
    'names of services that are no texts',
    'traces',
    {
      resourceSpans: [{ intValue: '5' }, { boolValue: true }, {}, text(''), nested(3), { bytesValue: 'AAA=' }].map(
        (value, n) => ({
          resource: { attributes: [attribute('service.name', value)], droppedAttributesCount: 4294967295 },
          scopeSpans: [{ spans: [span(n + 1)] }],
        }),
      ),
    },
  ],
  [
    'a service with two names',
    'traces',
    spansOf(
      [span(1)],
      ['a', 'b'].map((name) => attribute('service.name', text(name))),
    ),
  ],
  [
    'numbers that OTLP does not define',
    'traces',
    spansOf([
      span(1, { kind: 99, status: { code: 7, message: 'm' }, flags: 4294967295, droppedEventsCount: 4294967295 }),
      span(2, { kind: -1, status: { code: -1 } }),
    ]),
  ],
  [
    'ids of every length',
    'traces',
    spansOf([
      ...['', '00', '0'.repeat(32), 'f'.repeat(30), 'f'.repeat(34)].map((traceId, n) => span(n + 1, { traceId })),
      ...['', '0'.repeat(16), 'f'.repeat(14), 'f'.repeat(18)].map((spanId, n) => span(n + 11, { spanId })),
      ...['', '0'.repeat(16), 'f'.repeat(14), 'f'.repeat(18)].map((parentSpanId, n) => span(n + 21, { parentSpanId })),
      span(31, { parentSpanId: ids(31).spanId }),
    ]),
  ],
  [
    'events and links without anything',
    'traces',
    spansOf([
      span(1, {
        events: [{}, { timeUnixNano: '18446744073709551615', name: '', attributes: many(3) }],
        links: [{}, { traceId: '00' }, { spanId: '00' }, { ...ids(5), flags: 1, traceState: 'a=b' }],
      }),
    ]),
  ],
  ['nothing at all', 'traces', { resourceSpans: [{}, { scopeSpans: [{}, { spans: [] }] }] }],
  [
    'log records at the ends of time',
    'logs',
    logsOf([
      ...extremeTimes.map((timeUnixNano) => ({ timeUnixNano, observedTimeUnixNano: at(1) })),
      ...extremeTimes.map((observedTimeUnixNano) => ({ timeUnixNano: at(1), observedTimeUnixNano })),
    ]),
  ],
  [
    'log records of every body and severity',
    'logs',
    logsOf(
      [{}, text(''), { intValue: '0' }, nested(3), nested(20), { bytesValue: '' }, undefined].map((body, n) => ({
        timeUnixNano: at(n),
        body,
        severityNumber: [0, 1, 24, 25, 99, -1, 2147483647][n],
        traceId: ['', '00', '0'.repeat(32), 'f'.repeat(32)][n] ?? '',
        attributes: [attribute('', {}), attribute('a', {}), attribute('a', text('b'))],
      })),
    ),
  ],
  [
    'points at the ends of time, without values',
    'metrics',
    pointsOf([
      ...extremeTimes.map((timeUnixNano) => ({ timeUnixNano, asInt: '1' })),
      ...extremeTimes.map((startTimeUnixNano, n) => ({ startTimeUnixNano, timeUnixNano: at(n), asDouble: -0 })),
      { timeUnixNano: at(20) },
      { timeUnixNano: at(21), flags: 1 },
      { timeUnixNano: at(22), asDouble: 'NaN', exemplars: [{}, { asInt: '1', traceId: '00' }] },
    ]),
  ],
  [
    'histograms that contradict themselves',
    'metrics',
    pointsOf(
      [
        { count: '3', bucketCounts: ['1', '2'], explicitBounds: [1] },
        { count: '4', bucketCounts: ['1', '2'], explicitBounds: [1] },
        { count: '3', bucketCounts: ['1', '2'], explicitBounds: [2, 1] },
        { count: '18446744073709551615', bucketCounts: ['18446744073709551615'] },
        { count: '1', bucketCounts: ['18446744073709551615', '2'], explicitBounds: ['NaN'] },
        { count: '0' },
      ].map((point, n) => ({ timeUnixNano: at(n), ...point })),
      'histogram',
      { aggregationTemporality: 2 },
    ),
  ],
]

const rowsOf = (signal: SignalName, org: string) => allRowsOf(server.clickhouse, signal, org)

/** Returns the number of rejected records and the message of a response, whatever its encoding. */
function partialSuccessOf(response: Record<string, unknown> | undefined): readonly [rejected: number, message: string] {
  const { partialSuccess = {} } = response as { partialSuccess?: Record<string, unknown> }
  const { errorMessage = '', ...rejected } = partialSuccess
  return [Number(Object.values(rejected)[0] ?? 0), String(errorMessage)]
}

it.each(cases)('%s is the same over OTLP/gRPC and OTLP/HTTP, in protobuf and in JSON', async (what, signal, json) => {
  const body = encodeExport(signal, fromOtlpJson(json))
  const org = what.replaceAll(/\W/g, '_')
  const path = `/v1/${signal}` as const
  const overGrpc = await sendGrpc(server.grpcUrl, body, { signal, org: `grpc_${org}` })
  const inProtobuf = await send(server, body, { path, org: `protobuf_${org}` })
  const inJson = await send(server, json, { path, org: `json_${org}` })
  expect([overGrpc.code, overGrpc.message, inProtobuf.status, inJson.status]).toEqual([0, '', 200, 200])
  const partialSuccess = partialSuccessOf(inJson.message)
  expect(partialSuccessOf(inProtobuf.message)).toEqual(partialSuccess)
  expect(partialSuccessOf(overGrpc.response)).toEqual(partialSuccess)
  const stored = await rowsOf(signal, `json_${org}`)
  expect(await rowsOf(signal, `protobuf_${org}`)).toEqual(stored)
  expect(await rowsOf(signal, `grpc_${org}`)).toEqual(stored)
})

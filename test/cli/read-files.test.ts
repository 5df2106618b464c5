import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { batches, requestBody } from '../../server/cli/import/batches.ts'
import { inspect, inspectStream, readElements } from '../../server/cli/import/input.ts'
import { type Element, UnreadableInput } from '../../server/cli/import/otlp-file.ts'
import { delimited, exportRequest, prefixed, toProtobuf, writeTemporary } from '../support/otlp-files.ts'

const first = exportRequest([3, 2])
const second = exportRequest([4], 100)
const lines = `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`

async function readFile(path: string, start = 0): Promise<Element[]> {
  const elements: Element[] = []
  const input = await inspect(path)
  for await (const element of readElements(input, { start, onBytes() {} })) elements.push(element)
  return elements
}

async function spanCounts(name: string, content: string | Buffer): Promise<number[]> {
  return (await readFile(writeTemporary(name, content))).map((element) => element.recordCount)
}

it('finds every ResourceSpans of JSON lines, with its number of spans', async () => {
  expect(await spanCounts('a.jsonl', lines)).toEqual([3, 2, 4])
})

it('finds them in a pretty-printed document', async () => {
  expect(await spanCounts('a.json', JSON.stringify(first, undefined, 2))).toEqual([3, 2])
})

it('finds them in a pretty-printed document after an empty line', async () => {
  expect(await spanCounts('a.json', `\n${JSON.stringify(first, undefined, 2)}`)).toEqual([3, 2])
})

it('finds them after a byte order mark and between empty lines and Windows line ends', async () => {
  expect(await spanCounts('a.jsonl', `\ufeff\r\n${lines.replaceAll('\n', '\r\n\r\n')}`)).toEqual([3, 2, 4])
})

it('takes null for an absent list, as the server does', async () => {
  const spans = '{"scopeSpans":null},{"scopeSpans":[{"spans":null},{"spans":[{}]},null]}'
  const metrics =
    '{"scopeMetrics":[{"metrics":null},{"metrics":[null,{"name":"a","sum":null,"gauge":{"dataPoints":[{}]}}]}]}'
  expect(await spanCounts('a.jsonl', `{"resourceSpans":[${spans}]}`)).toEqual([0, 1])
  expect(await spanCounts('a.jsonl', `{"resourceLogs":[{"scopeLogs":[{"logRecords":null}]}]}`)).toEqual([0])
  expect(await spanCounts('a.jsonl', `{"resourceMetrics":[${metrics}]}`)).toEqual([1])
})

it('finds them in one protobuf request', async () => {
  expect(await spanCounts('a.pb', toProtobuf(first))).toEqual([3, 2])
})

it('finds them in protobuf requests after their lengths as varints', async () => {
  expect(await spanCounts('a.pb', delimited([toProtobuf(first), toProtobuf(second)]))).toEqual([3, 2, 4])
})

it('finds them in protobuf requests after their lengths in four bytes', async () => {
  expect(await spanCounts('a.pb', prefixed([toProtobuf(first), toProtobuf(second)]))).toEqual([3, 2, 4])
})

it('reads compressed files of every format', async () => {
  expect(await spanCounts('a.jsonl.gz', gzipSync(lines))).toEqual([3, 2, 4])
  expect(await spanCounts('a.pb.gz', gzipSync(delimited([toProtobuf(second)])))).toEqual([4])
})

it('finds nothing in an empty file', async () => {
  expect(await spanCounts('empty.jsonl', '')).toEqual([])
})

it('finds nothing in a request without spans', async () => {
  expect(await spanCounts('empty.jsonl', '{}\n{"resourceSpans":[]}\n')).toEqual([])
})

it('reads a ResourceSpans that spans many chunks as a whole', async () => {
  const large = exportRequest([6_000, 1])
  const elements = await readFile(writeTemporary('large.jsonl', JSON.stringify(large)))
  const again = elements.map((element) => JSON.parse(element.bytes.toString()))
  expect({ resourceSpans: again }).toEqual(large)
})

it('resumes from the document of any element', async () => {
  for (const path of [
    writeTemporary('a.jsonl', lines),
    writeTemporary('a.jsonl.gz', gzipSync(lines)),
    writeTemporary('a.pb', toProtobuf(first)),
    writeTemporary('b.pb', delimited([toProtobuf(first), toProtobuf(second)])),
  ]) {
    const all = await readFile(path)
    for (const element of all) {
      const again = await readFile(path, element.documentStart)
      expect(again.find((other) => other.end === element.end)?.bytes).toEqual(element.bytes)
    }
  }
})

it('resumes within a compressed file of many chunks', async () => {
  const documents = Array.from({ length: 8 }, (_, index) => exportRequest([500], 1 + index * 500))
  const text = documents.map((document) => `${JSON.stringify(document)}\n`).join('')
  const path = writeTemporary('many.jsonl.gz', gzipSync(text))
  const all = await readFile(path)
  expect(all).toHaveLength(documents.length)
  for (const [index, { documentStart }] of all.entries()) {
    const again = await readFile(path, documentStart)
    expect(again.map(({ end }) => end)).toEqual(all.slice(index).map(({ end }) => end))
  }
})

it('builds JSON requests from the bytes of the file, so that integers keep all digits', async () => {
  const big = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":18446744073709551615}]}]}]}'
  const path = writeTemporary('big.jsonl', `${big}\n${big}\n`)
  const input = await inspect(path)
  const { value: batch } = await batches(readElements(input, { start: 0, onBytes() {} }), 1_000_000).next()
  const { body } = requestBody(batch, 'json')
  expect(body.toString().match(/18446744073709551615/g)).toHaveLength(2)
  expect(JSON.parse(body.toString()).resourceSpans).toHaveLength(2)
})

it.each([
  ['ends within a JSON document', lines.slice(0, -20), /ends within a JSON document/],
  ['ends within a protobuf message', delimited([toProtobuf(first)]).subarray(0, -5), /ends within a message/],
  ['contains another format', 'time,value\n1,2\n', /neither OTLP JSON nor OTLP protobuf/],
  ['contains other JSON', '{"resource":1}', /has neither resourceSpans nor resourceLogs nor resourceMetrics/],
  ['is an export of Jaeger', '{"data":[{"traceID":"1","spans":[]}]}', /export of Jaeger, read OTLP from its .*v3/],
  ['is JSON of Zipkin', '[{"id":"1","traceId":"2","name":"get"}]', /JSON of Zipkin, not OTLP; .* zipkin receiver/],
  ['is a list of requests', `[${lines.trim().replace('\n', ',')}]`, /is a JSON list; OTLP JSON is one document/],
  ['is compressed with zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), /zstd -dc FILE \| tracefold import -/],
  ['is compressed with bzip2', Buffer.from('BZh91AY&SY'), /bzip2 -dc FILE/],
  ['is compressed with xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0]), /xz -dc FILE/],
  ['has text between documents', `${lines}oops`, /text between two documents is not JSON/],
  ['has a ResourceSpans that is not JSON', '{"resourceSpans":[{"scopeSpans":oops}]}', /not valid JSON/],
  ['is damaged gzip', gzipSync(Buffer.from(lines.repeat(50))).subarray(0, -30), /compression is damaged/],
])('refuses a file that %s, with the reason', async (_, content, reason) => {
  await expect(spanCounts('bad', content as string | Buffer)).rejects.toThrow(reason as RegExp)
})

it('refuses standard input that is damaged gzip, with the reason', async () => {
  async function* damaged() {
    yield Buffer.from([0x1f, 0x8b, 0xff, 0xff, 0xff])
  }
  await expect(inspectStream(damaged())).rejects.toThrow(UnreadableInput)
})

it('distinguishes logs and metrics from traces in protobuf too', async () => {
  // LogRecord: field 1 fixed64 time; Metric: field 1 name, field 5 gauge.
  const request = (record: Buffer) => [2, 2, 1].reduce((inner, field) => field2(field, inner), record)
  const field2 = (field: number, content: Buffer) =>
    Buffer.concat([Buffer.from([(field << 3) | 2, content.length]), content])
  const log = request(Buffer.from([0x09, 1, 2, 3, 4, 5, 6, 7, 8]))
  const metric = request(Buffer.concat([field2(1, Buffer.from('cpu')), field2(5, Buffer.from([0x0a, 0]))]))
  const [ofLogs] = await readFile(writeTemporary('logs.pb', log))
  expect(ofLogs).toMatchObject({ signal: 'logs', recordCount: 1 })
  const withoutTimes = request(
    Buffer.concat([field2(5, field2(1, Buffer.from('down'))), field2(9, Buffer.alloc(16, 1))]),
  )
  const [ofTimeless] = await readFile(writeTemporary('logs.pb', withoutTimes))
  expect(ofTimeless).toMatchObject({ signal: 'logs', recordCount: 1 })
  const [ofMetrics] = await readFile(writeTemporary('metrics.pb', metric))
  expect(ofMetrics).toMatchObject({ signal: 'metrics', recordCount: 1 })
})

it('distinguishes the signals of JSON documents, and counts the points of metrics', async () => {
  const lines = [
    '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},{}]},{"logRecords":[{}]}]}]}',
    '{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}',
    '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","gauge":{"dataPoints":[{},{}]}},{"name":"b"}]}]}]}',
  ]
  const elements = await readFile(writeTemporary('all.jsonl', lines.join('\n')))
  expect(elements.map(({ signal, recordCount }) => [signal, recordCount])).toEqual([
    ['logs', 3],
    ['traces', 1],
    ['metrics', 2],
  ])
})

it('divides requests by signal', async () => {
  const lines = '{"resourceLogs":[{}]}\n{"resourceLogs":[{}]}\n{"resourceSpans":[{}]}\n{"resourceLogs":[{}]}\n'
  const input = await inspect(writeTemporary('mixed.jsonl', lines))
  const bodies: string[] = []
  for await (const batch of batches(readElements(input, { start: 0, onBytes() {} }), 1_000_000))
    bodies.push(requestBody(batch, 'json').body.toString())
  expect(bodies).toEqual(['{"resourceLogs":[{},\n{}]}', '{"resourceSpans":[{}]}', '{"resourceLogs":[{}]}'])
})

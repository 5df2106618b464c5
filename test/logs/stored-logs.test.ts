import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LogRecord, type LogSubject, openLogSubject } from '../support/log-subject.ts'
import { encode, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { seededRandom } from '../support/random-source.ts'
import { randomValue } from '../support/random-values.ts'
import { toWireAttributes } from '../support/reference-wire.ts'
import { toOtlpValue } from '../support/span-model.ts'

let subject: LogSubject
let org = ''
let orgs = 0
beforeAll(async () => {
  subject = await openLogSubject()
})
afterAll(() => subject.close())
beforeEach(() => {
  org = `org${orgs++}`
})

type Plain = Record<string, unknown>

const time = '1790000000123456789'
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

function requestOf(...logRecords: Plain[]): Plain {
  const resource = { attributes: [text('service.name', 'shop'), { key: 'host.cpus', value: { intValue: '4' } }] }
  const scope = { name: 'app', version: '1.2', attributes: [{ key: 'short', value: { boolValue: true } }] }
  return { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] }
}

type Encoding = 'json' | 'protobuf' | 'gzip'

async function send(request: Plain, encoding: Encoding = 'json', whom = org): Promise<{ status: number; body: Plain }> {
  const protobuf = () => encode('collector.logs.v1.ExportLogsServiceRequest', fromOtlpJson(request))
  const bytes = encoding === 'protobuf' ? protobuf() : Buffer.from(JSON.stringify(request))
  const response = await subject.app.send('/v1/logs', {
    method: 'POST',
    headers: {
      'content-type': encoding === 'protobuf' ? 'application/x-protobuf' : 'application/json',
      ...(encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    },
    body: encoding === 'gzip' ? gzipSync(bytes) : bytes,
    whom: { org: whom, role: 'ingest' },
  })
  const answer = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, body: isJson ? JSON.parse(answer.toString()) : { bytes: answer.length } }
}

const always = { from: '1970-01-01T00:00:00Z', to: '2262-01-01T00:00:00Z' }
const stored = (whom = org) => subject.searchAll(whom, { ...always, limit: 200 })

async function storeOne(record: Plain): Promise<LogRecord> {
  expect(await send(requestOf(record))).toEqual({ status: 200, body: {} })
  const [first, ...others] = await stored()
  if (first === undefined || others.length > 0) throw new Error('not one record')
  return first
}

function exported(accept: string, order = 'newest'): Promise<Response> {
  const json = { ...always, order }
  return subject.app.send('/api/v1/logs/export', { headers: { accept }, json, whom: { org, role: 'viewer' } })
}

describe('a stored log record', () => {
  it('has every field of the received record, in either encoding', async () => {
    const record = {
      timeUnixNano: time,
      observedTimeUnixNano: '1790000001000000001',
      severityNumber: 17,
      severityText: 'ERROR',
      body: { kvlistValue: { values: [text('reason', 'no stock'), { key: 'left', value: { intValue: '0' } }] } },
      attributes: [text('tenant', 't-1'), { key: 'order', value: { intValue: '9007199254740993' } }],
      droppedAttributesCount: 2,
      flags: 257,
      traceId: '5B8EFFF798038103D269B633813FC60C',
      spanId: 'EEE19B7EC3C1B174',
      eventName: 'order.failed',
    }
    await send(requestOf(record))
    await send(requestOf(record), 'protobuf', `${org}p`)
    const [json, protobuf] = [await stored(), await stored(`${org}p`)]
    expect(json).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        time: '2026-09-21T14:13:20.123456789Z',
        event_time: '2026-09-21T14:13:20.123456789Z',
        observed_time: '2026-09-21T14:13:21.000000001Z',
        service: 'shop',
        severity: 'ERROR',
        severity_number: 17,
        body: { type: 'kvlist', value: { reason: 'no stock', left: 0 } },
        event_name: 'order.failed',
        trace_id: '5b8efff798038103d269b633813fc60c',
        span_id: 'eee19b7ec3c1b174',
        flags: 257,
        scope: { name: 'app', version: '1.2', attributes: [{ key: 'short', type: 'bool', value: true }] },
        attributes: [
          { key: 'order', type: 'int', value: '9007199254740993' },
          { key: 'tenant', type: 'string', value: 't-1' },
        ],
        dropped_attributes_count: 2,
        resource_attributes: [
          { key: 'host.cpus', type: 'int', value: 4 },
          { key: 'service.name', type: 'string', value: 'shop' },
        ],
      },
    ])
    expect(protobuf.map((each) => ({ ...each, id: json[0]?.id }))).toEqual(json)
  })

  it('with few fields has no others', async () => {
    const { id: _, scope, resource_attributes, ...rest } = await storeOne({ timeUnixNano: time })
    expect([scope.name, resource_attributes.length]).toEqual(['app', 2])
    expect(rest).toEqual({
      time: '2026-09-21T14:13:20.123456789Z',
      event_time: '2026-09-21T14:13:20.123456789Z',
      observed_time: null,
      service: 'shop',
      severity: '',
      severity_number: 0,
      body: { type: 'unset', value: null },
      event_name: '',
      trace_id: null,
      span_id: null,
      flags: 0,
      attributes: [],
      dropped_attributes_count: 0,
    })
  })

  it('has a body and attributes of any type', async () => {
    const random = seededRandom(7)
    const values = Array.from({ length: 150 }, () => randomValue(random))
    const records = values.map((value, position) => ({
      timeUnixNano: String(BigInt(time) + BigInt(position)),
      body: toOtlpValue(value),
      attributes: [{ key: 'k', value: toOtlpValue(value) }],
    }))
    expect(await send(requestOf(...records))).toEqual({ status: 200, body: {} })
    const expected = values.map((value) => toWireAttributes([['k', value]])).reverse()
    const found = await stored()
    expect(found.map(({ attributes }) => attributes)).toEqual(expected)
    expect(found.map(({ body }) => [{ key: 'k', ...body }])).toEqual(expected)
  })

  it('keeps a severity number that OTLP does not define', async () => {
    expect((await storeOne({ timeUnixNano: time, severityNumber: -7 })).severity_number).toBe(-7)
  })

  it('has the observed time if it has no event time', async () => {
    const { time: at, event_time, observed_time } = await storeOne({ observedTimeUnixNano: time })
    expect([at, event_time, observed_time]).toEqual([observed_time, null, '2026-09-21T14:13:20.123456789Z'])
  })

  it('has the time of its arrival if it has no time at all', async () => {
    const before = Date.now()
    const { time: at, event_time, observed_time } = await storeOne({ body: { stringValue: 'x' } })
    expect([event_time, observed_time]).toEqual([null, null])
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before - 1)
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now() + 1)
  })

  it('has the time of its arrival elsewhere too, if it has no time and is exported as OTLP', async () => {
    const { time: arrival } = await storeOne({ body: { stringValue: 'x' } })
    const response = await exported('application/json')
    await send((await response.json()) as Plain, 'json', `${org}copy`)
    expect(await stored(`${org}copy`)).toMatchObject([{ time: arrival, event_time: null, body: { value: 'x' } }])
  })

  it('with the time of others is between them by id, ascending in an export from the oldest', async () => {
    await send(requestOf(...['a', 'b', 'c'].map((name) => ({ timeUnixNano: time, body: { stringValue: name } }))))
    const newest = (await stored()).map(({ id }) => id)
    const lines = (await (await exported('application/x-ndjson', 'oldest')).text()).trimEnd().split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(newest.reverse())
  })

  it('has an empty field in CSV if it has no body', async () => {
    await storeOne({ timeUnixNano: time, eventName: 'order.failed' })
    const [header = '', line = ''] = (await (await exported('text/csv')).text()).split('\r\n')
    const fields = new Map(header.split(',').map((name, at) => [name, line.split(',')[at]]))
    expect([fields.get('body'), fields.get('event_name')]).toEqual(['', 'order.failed'])
  })

  it.each(['application/json', 'application/x-protobuf', 'application/x-ndjson', 'text/csv'])(
    'that does not exist is exported with the media type %s',
    async (type) => {
      const response = await exported(type)
      expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
    },
  )

  it.each([
    ['are absent', {}, ''],
    ['are empty', { traceId: '', spanId: '' }, ''],
    ['are zero', { traceId: '0'.repeat(32), spanId: '0'.repeat(16) }, ''],
    ['have a wrong length', { traceId: 'ab', spanId: '0'.repeat(18) }, '2 log record ids dropped'],
    ['are no hexadecimal', { traceId: 'x'.repeat(32) }, '1 log record id dropped'],
  ])('belongs to no message and no step when its ids %s', async (_, ids, reported) => {
    const { status, body } = await send(requestOf({ timeUnixNano: time, ...ids }))
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain(reported)
    expect(body).toEqual(
      reported === '' ? {} : { partialSuccess: { rejectedLogRecords: '0', errorMessage: expect.anything() } },
    )
    expect(await stored()).toMatchObject([{ trace_id: null, span_id: null }])
  })
})

describe('a body of log records', () => {
  const twin = { timeUnixNano: time, body: { stringValue: 'tick' } }

  it('that contains a record twice stores both', async () => {
    await send(requestOf(twin, twin))
    const [one, other] = await stored()
    expect(one?.id).not.toBe(other?.id)
    expect({ ...one, id: '' }).toEqual({ ...other, id: '' })
  })

  it('that is sent again stores nothing, in either encoding, even if its records have no time', async () => {
    const request = requestOf(twin, twin, { body: { stringValue: 'when?' } })
    await send(request)
    const before = await stored()
    for (const encoding of ['json', 'gzip', 'protobuf'] as const)
      expect((await send(request, encoding)).status).toBe(200)
    expect(before).toHaveLength(3)
    expect(await stored()).toEqual(before)
  })

  it('stores valid records and reports where and why the others were rejected', async () => {
    const late = '9223372036854775808'
    const { status, body } = await send(
      requestOf(twin, { timeUnixNano: late }, twin, { observedTimeUnixNano: late }, { ...twin, traceId: '00' }),
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      partialSuccess: {
        rejectedLogRecords: '2',
        errorMessage: expect.stringMatching(
          new RegExp(
            '^2 of 5 log records rejected\\. 2 log records: the time .* after the year 2262 ' +
              '\\(first at resource_logs\\[0\\]\\.scope_logs\\[0\\]\\.log_records\\[1\\]\\)\\. 1 log record id dropped',
          ),
        ),
      },
    })
    expect(await stored()).toHaveLength(3)
  })

  it('keeps a record whose body is nested too deeply, without the body', async () => {
    const deep = Array.from({ length: 66 }).reduce<Plain>((value) => ({ arrayValue: { values: [value] } }), {
      stringValue: 'x',
    })
    const { body } = await send(requestOf({ timeUnixNano: time, body: deep }))
    expect(JSON.stringify(body)).toContain('1 log record stored without a body')
    expect(await stored()).toMatchObject([{ body: { type: 'unset', value: null } }])
  })

  it('that is invalid is rejected, and stores nothing', async () => {
    expect((await send({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: 'soon' }] }] }] })).status).toBe(
      400,
    )
    expect(await stored()).toEqual([])
  })

  it('is accepted from callers that may send, and visible only to their organization', async () => {
    const request = requestOf(twin)
    expect((await subject.ask(org, 'POST', '/v1/logs', request, { role: 'viewer' })).status).toBe(403)
    await send(request)
    expect(await stored()).toHaveLength(1)
    expect(await stored(`${org}x`)).toEqual([])
  })
})

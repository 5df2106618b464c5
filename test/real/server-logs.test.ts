import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import { type LogRecord, type LogSubject, openLogSubject } from '../support/log-subject.ts'
import { encode, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toWireAttributes } from '../support/reference-wire.ts'
import type { OtlpValue } from '../support/span-model.ts'

interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

interface OtlpLog {
  readonly timeUnixNano: string
  readonly observedTimeUnixNano: string
  readonly severityNumber: number
  readonly severityText: string
  readonly traceId: string
  readonly spanId: string
  readonly flags?: number
  readonly body: OtlpValue
  readonly eventName?: string
  readonly attributes?: readonly OtlpAttribute[]
}

interface OtlpLogs {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeLogs: readonly {
      readonly scope: {
        readonly name: string
        readonly version?: string
        readonly attributes?: readonly OtlpAttribute[]
      }
      readonly logRecords: readonly OtlpLog[]
    }[]
  }[]
}

let subject: LogSubject
beforeAll(async () => {
  subject = await openLogSubject()
})
afterAll(() => subject.close())

const always = { from: '1970-01-01T00:00:00Z', to: '2262-01-01T00:00:00Z', limit: 200 }
const essvtLogs = 'otlp-essvt/otel-logs.jsonl'
const essvtTraces = 'otlp-essvt/otel-traces.jsonl'
const examples = ['logs', 'events'].map((name) => `conformance/otlp/opentelemetry-proto-examples/${name}.json`)

function requestsIn(file: string): OtlpLogs[] {
  const text = readShared(file)
  return file.endsWith('.jsonl')
    ? text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
    : [JSON.parse(text)]
}

async function send(org: string, path: string, body: Buffer | object): Promise<void> {
  const isProtobuf = Buffer.isBuffer(body)
  const response = await subject.app.send(path, {
    method: 'POST',
    headers: { 'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json' },
    whom: { org, role: 'ingest' },
    body: isProtobuf ? new Uint8Array(body) : JSON.stringify(body),
  })
  const answer = await response.text()
  expect([response.status, answer]).toEqual([200, isProtobuf ? '' : '{}'])
}

const attributesOf = (attributes: readonly OtlpAttribute[] = []) =>
  toWireAttributes(attributes.map(({ key, value }) => [key, value]))

/** Computes the records that the API should return, from the request alone. */
function expectedOf({ resourceLogs }: OtlpLogs): Omit<LogRecord, 'id'>[] {
  return resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ scope, logRecords }) =>
      logRecords.map((record) => {
        const { key: _, ...body } = attributesOf([
          { key: '', value: record.body },
        ])[0] as LogRecord['attributes'][number]
        return {
          time: toRfc3339(BigInt(record.timeUnixNano)),
          event_time: toRfc3339(BigInt(record.timeUnixNano)),
          observed_time: toRfc3339(BigInt(record.observedTimeUnixNano)),
          service: String(attributesOf(resource.attributes).find(({ key }) => key === 'service.name')?.value),
          severity: record.severityText,
          severity_number: record.severityNumber,
          body,
          event_name: record.eventName ?? '',
          trace_id: record.traceId ? record.traceId.toLowerCase() : null,
          span_id: record.spanId ? record.spanId.toLowerCase() : null,
          flags: record.flags ?? 0,
          scope: { name: scope.name, version: scope.version ?? '', attributes: attributesOf(scope.attributes) },
          attributes: attributesOf(record.attributes),
          dropped_attributes_count: 0,
          resource_attributes: attributesOf(resource.attributes),
        } as Omit<LogRecord, 'id'>
      }),
    ),
  )
}

const inOrder = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).sort()

for (const file of [...examples, essvtLogs]) {
  describeOver([file], `${file} in the real server`, () => {
    it.each(['json', 'protobuf'])('is returned as it was sent, in %s', async (encoding) => {
      const org = `${file.replace(/\W/g, '-')}-${encoding}`
      const requests = requestsIn(file)
      for (const request of requests) {
        const body = encode('collector.logs.v1.ExportLogsServiceRequest', fromOtlpJson(request))
        await send(org, '/v1/logs', encoding === 'json' ? request : body)
      }
      const stored = await subject.searchAll(org, always)
      const expected = requests.flatMap(expectedOf)
      expect(expected.length).toBeGreaterThan(0)
      expect(inOrder(stored.map(({ id: _, ...record }) => record))).toEqual(inOrder(expected))
    })
  })
}

describeOver([essvtLogs, essvtTraces], 'log records and spans of essvt', () => {
  const ask = async <Body>(path: string) => (await subject.ask<Body>('essvt', 'GET', path)).body

  it('all 109 records have the ids of their span and are listed for its message', async () => {
    for (const request of requestsIn(essvtTraces)) await send('essvt', '/v1/traces', request)
    for (const request of requestsIn(essvtLogs)) await send('essvt', '/v1/logs', request)
    const records = await subject.searchAll('essvt', always)
    expect(records).toHaveLength(109)
    let led = 0
    for (const traceId of new Set(records.map(({ trace_id }) => trace_id))) {
      const { spans } = await ask<components['schemas']['MessageDetail']>(`/api/v1/messages/${traceId}`)
      const { items } = await ask<components['schemas']['MessageLogPage']>(`/api/v1/messages/${traceId}/logs?limit=200`)
      const ids = new Set(spans.map(({ span_id }) => span_id))
      led += items.filter(({ span_id }) => span_id !== null && ids.has(span_id)).length
    }
    expect(led).toBe(109)
  })
})

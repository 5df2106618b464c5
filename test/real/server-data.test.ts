import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareMessages } from '../fuzz/compare-messages.ts'
import { type HttpSubject, openHttpSubject } from '../fuzz/http-subject.ts'
import { casesOf } from '../support/fuzz-settings.ts'
import { loadOpenSearch } from '../support/load-opensearch.ts'
import { loadOtlp } from '../support/load-otlp.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import { loadSigNoz } from '../support/load-signoz.ts'
import { randomQuery } from '../support/random-query.ts'
import { seededRandom } from '../support/random-source.ts'
import type { Row } from '../support/reference-messages.ts'
import { structureOf } from '../support/reference-structure.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import type { SpanModel } from '../support/span-model.ts'
import { wholeOf } from './real-traces.ts'

let subject: HttpSubject

beforeAll(async () => {
  subject = await openHttpSubject()
})
afterAll(() => subject.close())

const dataSets = [
  { org: 'essvt', file: 'otlp-essvt/otel-traces.jsonl', load: loadOtlp },
  { org: 'oteldemo', file: 'opensearch-otel/oteldemo-checkout-trace.bulk_data.json', load: loadOpenSearch },
  { org: 'bulk', file: 'opensearch-otel/otel-v1-apm-span-000001.json', load: loadOpenSearch },
  {
    org: 'signoz',
    file: 'conformance/signoz-trace-operators.json',
    load: (text: string, org: string) => loadSigNoz(text, org).spans,
  },
  { org: 'otlp-example', file: 'conformance/otlp/opentelemetry-proto-examples/trace.json', load: loadOtlp },
] as const

const queryCount = casesOf('queries on real data')

for (const { org, file, load } of dataSets) {
  describeOver([file], `${file} in the real server`, () => {
    let traces: ReturnType<typeof wholeOf>

    beforeAll(async () => {
      traces = wholeOf(org, load(readShared(file), org))
      await subject.store(org, traces.rows)
    })

    it('has every span once', async () => {
      const { traces: traceCount, spans, errors } = structureOf(traces.rows)
      const counts = await subject.count(org, toRequestBody({ rows: [], ...traces.window }))
      expect(counts).toMatchObject({ message_count: traceCount, matched_step_count: spans, error_step_count: errors })
    })

    it(`has the results of the reference for ${queryCount} random queries`, async () => {
      const random = seededRandom(1)
      for (let done = 0; done < queryCount; done++) {
        const { difference } = await compareMessages(subject, traces, randomQuery(random, traces))
        if (difference !== undefined) throw new Error(difference)
      }
    })
  })
}

const essvt = 'otlp-essvt/otel-traces.jsonl'

describeOver([essvt], "the oracle's questions as message searches", () => {
  const spans = (): SpanModel[] => loadOtlp(readShared(essvt), 'essvt')
  const route: Row = { attribute_key: 'http.route', operator: 'exists', includeDescendants: true }

  it('steps below a step carrying http.route with db.operation INSERT are 42 in 8 messages', async () => {
    const { matchedIds } = await searchIds({ rows: [route] })
    const inserts = new Set(
      spans()
        .filter(isInsert)
        .map((span) => `${span.traceId}/${span.spanId}`),
    )
    const below = matchedIds.filter((id) => inserts.has(id))
    expect([below.length, new Set(below.map((id) => id.split('/')[0])).size]).toEqual([42, 8])
  })

  it('http.route exists with child spans and status error agrees with the reference', async () => {
    const traces = wholeOf('essvt', spans())
    const query = { rows: [route], status: 'error', limit: 50, ...traces.window } as const
    expect(await compareMessages(subject, traces, query)).toMatchObject({ difference: undefined })
  })

  async function searchIds(query: { rows: Row[] }) {
    const body = toRequestBody({ ...query, ...wholeOf('essvt', spans()).window })
    const { messages } = await subject.search('essvt', { ...body, limit: 200 })
    return {
      matchedIds: messages.flatMap((message) => message.matched_step_ids.map((id) => `${message.trace_id}/${id}`)),
    }
  }
})

function isInsert(span: SpanModel): boolean {
  return span.attributes.some(
    ([key, value]) => key === 'db.operation' && 'stringValue' in value && value.stringValue === 'INSERT',
  )
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const essvt = 'otlp-essvt/otel-traces.jsonl'

describeOver([essvt], 'the lines that a collector wrote, sent as they are', () => {
  it('are accepted without rejected spans', async () => {
    const lines = readShared(essvt).split('\n').filter(Boolean)
    for (const line of lines) await app.sendSpans(JSON.parse(line))
    const client = await app.client()
    const window = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' }
    const { data } = await client.POST('/api/v1/messages/count', { body: window })
    expect(data).toEqual({
      message_count: 168,
      error_message_count: expect.any(Number),
      matched_step_count: 1066,
      error_step_count: 57,
    })
  })
})

const example = 'conformance/otlp/opentelemetry-proto-examples/trace.json'

describeOver([example], 'the official OTLP example, sent as it is', () => {
  it('is found under its ids in lower case and keeps its missing parent', async () => {
    const org = 'otlp-example'
    await app.sendSpans(JSON.parse(readShared(example)), { org })
    const client = await app.client({ org })
    const trace_id = '5b8efff798038103d269b633813fc60c'
    const { data } = await client.GET('/api/v1/messages/{trace_id}', { params: { path: { trace_id } } })
    expect(data?.spans).toMatchObject([
      {
        span_id: 'eee19b7ec3c1b174',
        parent_span_id: 'eee19b7ec3c1b173',
        name: "I'm a server span",
        kind: 'server',
        started_at: '2018-12-13T14:51:00Z',
        attributes: [{ key: 'my.span.attr', type: 'string', value: 'some value' }],
        scope: {
          name: 'my.library',
          version: '1.0.0',
          attributes: [{ key: 'my.scope.attribute', type: 'string', value: 'some scope attribute' }],
        },
      },
    ])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeTraces, fromOtlpJson } from './otlp-protobuf.ts'
import { type OtlpServer, send, startOtlpServer, storedSpans } from './otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

const traceId = '5B8EFFF798038103D269B633813FC60C'

const request = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'my.service' } }] },
      scopeSpans: [
        {
          scope: {
            name: 'my.library',
            version: '1.0.0',
            attributes: [{ key: 'my.scope.attribute', value: { stringValue: 'some scope attribute' } }],
          },
          spans: [
            {
              traceId,
              spanId: 'EEE19B7EC3C1B174',
              parentSpanId: 'EEE19B7EC3C1B173',
              name: "I'm a server span",
              startTimeUnixNano: '1544712660000000000',
              endTimeUnixNano: '1544712661000000001',
              kind: 2,
              attributes: [
                { key: 'my.span.attr', value: { stringValue: 'some value' } },
                { key: 'http.route', value: { stringValue: '/cart' } },
              ],
            },
          ],
        },
      ],
    },
  ],
}

describe('exporting traces', () => {
  it('stores a span sent as JSON', async () => {
    const answer = await send(server, request, { org: 'json' })
    console.log(answer, server.errors, await storedSpans(server.clickhouse, 'json'))
    expect(answer.status).toBe(200)
  })
  it('stores the same span sent as protobuf', async () => {
    const answer = await send(server, encodeTraces(fromOtlpJson(request)), { org: 'protobuf' })
    console.log(answer, server.errors, await storedSpans(server.clickhouse, 'protobuf'))
    expect(answer.status).toBe(200)
  })
})

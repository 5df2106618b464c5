import { describe, expect, it } from 'vitest'
import { sharedStubApp } from '../support/stub-app.ts'

const stub = sharedStubApp()
const id = '01JNB4Y8Z0V6Q3W2R7T5X9K1MD'

describe('a path that does not exist is refused with the one that it may mean', () => {
  const everything =
    '. The API is below /api/v1/; OTLP is at /v1/traces, /v1/metrics and /v1/logs. /docs lists all paths.'
  const otlp = (signal: string) =>
    `; did you mean /v1/${signal}? SDKs append it to OTEL_EXPORTER_OTLP_ENDPOINT, which is the address of the server ` +
    `alone. They do not append it to OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT.`

  it.each([
    ['POST', '/v1/trace', '; did you mean /v1/traces?'],
    ['POST', '/v1/traces/v1/traces', otlp('traces')],
    ['POST', '/api/v1/logs', otlp('logs')],
    ['POST', '/otlp/v1/metrics/', otlp('metrics')],
    ['POST', '/', everything],
    ['GET', '/api/v1/integration', '; did you mean /api/v1/integrations?'],
    ['GET', '/api/v1/Integrations', '; did you mean /api/v1/integrations?'],
    ['GET', `/api/v1/integration/${id}/stats`, '; did you mean /api/v1/integrations/{id}/stats?'],
    ['GET', '/integrations', '; did you mean /api/v1/integrations?'],
    ['POST', '/api/messages/search', '; did you mean /api/v1/messages/search?'],
    ['POST', '/v1/messages/search', '; did you mean /api/v1/messages/search?'],
    ['GET', '/api/v2/me', '; did you mean /api/v1/me?'],
    ['GET', '/health', '; did you mean /healthz?'],
    ['GET', '/api/v1/nothing-like-this', everything],
    ['GET', `/${'a/'.repeat(200)}`, '.'],
  ])('%s %s', async (method, path, hint) => {
    const response = await stub().send(method, path)
    expect(await response.json()).toMatchObject({ status: 404, detail: `There is nothing at this path${hint}` })
  })
})

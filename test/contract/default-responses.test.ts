import { expect, it } from 'vitest'
import { addDefaultResponses, type OperationNode } from '../../scripts/default-responses.ts'

function statuses(path: string, method: string, operation: Partial<OperationNode>): string {
  const responses = { '200': {}, ...operation.responses }
  addDefaultResponses(path, method, { ...operation, responses })
  return Object.keys(responses).join(' ')
}

const body = { requestBody: {} }
const from = { $ref: '../parameters/from.yaml' }
const ifMatch = { $ref: '../parameters/if-match.yaml' }

it.each<[string, string, string, Partial<OperationNode>, string]>([
  ['a list', '/api/v1/rules', 'get', {}, '200 400 401 403 429 503 default'],
  ['a list over a window', '/api/v1/rules', 'get', { parameters: [from] }, '200 400 401 403 422 429 503 default'],
  ['a read of a record', '/api/v1/rules/{id}', 'get', {}, '200 400 401 403 404 429 503 default'],
  ['a creation', '/api/v1/rules', 'post', body, '200 400 401 403 413 415 422 429 503 default'],
  [
    'a versioned update that can conflict',
    '/api/v1/rules/{id}',
    'put',
    { ...body, parameters: [ifMatch], responses: { '409': { $ref: '../responses/conflict.yaml' } } },
    '200 400 401 403 404 409 412 413 415 429 503 default',
  ],
  [
    'an export in several media types',
    '/api/v1/logs/export',
    'post',
    { ...body, responses: { '200': { content: { 'text/csv': {}, 'application/json': {} } } } },
    '200 400 401 403 406 413 415 422 429 503 default',
  ],
  ['an endpoint for operators', '/healthz', 'get', {}, '200'],
  ['an OTLP endpoint', '/v1/traces', 'post', body, '200 400 401 403 413 415 429 503 default'],
])('%s gets its default responses', (_, path, method, operation, expected) => {
  expect(statuses(path, method, operation)).toBe(expected)
})

it('an operation that states a default response is rejected', () => {
  const responses = { '404': { $ref: '../responses/not-found.yaml' } }
  expect(() => statuses('/api/v1/rules/{id}', 'get', { responses })).toThrow('get /api/v1/rules/{id} states 404')
})

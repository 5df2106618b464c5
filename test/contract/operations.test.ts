import { expect, it } from 'vitest'
import { outsideOperationIds } from '../../server/http/contract/handlers.ts'
import { listOperations } from '../../server/http/contract/operations.ts'
import {
  document,
  handledOperations,
  nameOf,
  operations,
  responsesOf,
  type Schema,
  schemas,
} from '../support/documented-operations.ts'

const alertingPrefix = '/api/v1/alerting/'

const reading = 'get list search count summarize preview query export parse compare explain'
const writing = 'create replace update delete add clone test retry import ingest'
const verbs = new RegExp(`^(${`${reading} ${writing}`.replaceAll(' ', '|')})[A-Z]`)

it('every operation id is unique and consists of a verb and a noun', () => {
  const ids = operations.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !verbs.test(id))).toEqual([])
})

it('every operation has one tag that the document describes, and every tag has an operation', () => {
  const described = (document as unknown as { tags: { name: string }[] }).tags.map(({ name }) => name)
  const used = operations.map(({ operation }) => operation.tags ?? [])
  expect(used.filter((tags) => tags.length !== 1)).toEqual([])
  expect(new Set(used.flat())).toEqual(new Set(described))
})

it('every operation has a summary and a description', () => {
  const mute = operations.filter(({ operation }) => !operation.summary || !operation.description)
  expect(mute.map(({ id }) => id)).toEqual([])
})

it('every operation declares its own security', () => {
  expect(operations.filter(({ operation }) => operation.security === undefined).map(({ id }) => id)).toEqual([])
})

it('every operation that a handler serves requires a role', () => {
  const open = listOperations(document).filter(({ isHandled, role }) => isHandled && role === undefined)
  expect(open).toEqual([])
})

it('reads require the lowest role and writes a higher one', () => {
  const someRead = /^(get(?!IntegrationGrants)|export(?!Config)|list(?!ApiKeys|AuditEntries))/
  const reads = {
    test: (id: string) =>
      someRead.test(id) || /^(search|count|summarize|preview|query|parse|compare(?!Integration)|explain)/.test(id),
  }
  const wrong = listOperations(document)
    .filter(({ isHandled, path }) => isHandled && !path.startsWith(alertingPrefix) && !isBeyondGrants(path))
    .filter(({ id, role }) => reads.test(id) !== (role === 'restricted'))
  expect(wrong).toEqual([])
})

/** Grants cover spans only, so restricted callers cannot read other telemetry. */
function isBeyondGrants(path: string): boolean {
  return /\/(logs|metrics(-catalog)?)(\/|$)/.test(path)
}

it('telemetry other than spans requires a viewer', () => {
  const others = listOperations(document).filter(({ isHandled, path }) => isHandled && isBeyondGrants(path))
  expect(others.map(({ role }) => role)).toEqual(others.map(() => 'viewer'))
  expect(others.length).toBeGreaterThan(0)
})

it('alerting is not covered by grants: reads require a viewer and writes a contributor', () => {
  const reads = /^(get|list|preview)/
  const wrong = listOperations(document)
    .filter(({ path }) => path.startsWith(alertingPrefix))
    .filter(({ id, role }) => role !== (reads.test(id) ? 'viewer' : 'contributor'))
  expect(wrong).toEqual([])
})

it('the operations outside the validator are those that the handler types exclude', () => {
  const outside = listOperations(document).filter(({ isHandled }) => !isHandled)
  expect(outside.map(({ id }) => id).sort()).toEqual([...outsideOperationIds].sort())
})

it('every operation under /api/v1 declares the problems common to all, and a default', () => {
  const common = ['400', '401', '403', '429', '503', 'default']
  for (const { id, operation } of handledOperations) {
    expect(Object.keys(operation.responses), id).toEqual(expect.arrayContaining(common))
  }
})

it('every operation with a body declares 413 and 415, and every one with a path parameter 404', () => {
  for (const { id, path, operation } of handledOperations) {
    const declared = Object.keys(operation.responses)
    if (operation.requestBody) expect(declared, id).toEqual(expect.arrayContaining(['413', '415']))
    if (path.includes('{')) expect(declared, id).toContain('404')
  }
})

it('every problem under /api/v1 is a problem document', () => {
  for (const { id, operation } of handledOperations) {
    for (const [status, { content }] of responsesOf(operation)) {
      if (status < '400') continue
      expect(Object.keys(content ?? {}), `${id} ${status}`).toEqual(['application/problem+json'])
      expect(content?.['application/problem+json']?.schema, `${id} ${status}`).toEqual({
        $ref: '#/components/schemas/Problem',
      })
    }
  }
})

it('every list takes a limit and a cursor and returns items and the next cursor', () => {
  for (const { id, operation } of handledOperations.filter((each) => each.id.startsWith('list'))) {
    const parameters = (operation.parameters ?? []).map(({ $ref }) => $ref.replace('#/components/parameters/', ''))
    expect(parameters, id).toEqual(expect.arrayContaining(['LimitParameter', 'CursorParameter']))
    const page = responsesOf(operation).find(([status]) => status === '200')?.[1].content?.['application/json']
    const schema = schemas[page?.schema?.$ref.split('/').at(-1) ?? ''] as Schema
    // A completion also says which part of the window it is from.
    const more = id.startsWith('listAttribute') ? ['from'] : []
    expect(schema.required, id).toEqual(['items', 'next_cursor', ...more])
  }
})

it('operations declare 412 if and only if they take If-Match', () => {
  for (const { id, operation } of handledOperations) {
    const takes = (operation.parameters ?? []).some(({ $ref }) => $ref === '#/components/parameters/IfMatchParameter')
    expect('412' in operation.responses, id).toBe(takes)
  }
})

it('every 401 and 403 declares WWW-Authenticate, and every 412 the ETag of the present version', () => {
  const headers = { '401': 'WWW-Authenticate', '403': 'WWW-Authenticate', '412': 'ETag' }
  for (const { id, operation } of handledOperations) {
    const responses = Object.fromEntries(responsesOf(operation))
    for (const [status, header] of Object.entries(headers)) {
      const response = responses[status]
      if (response) expect(Object.keys(response.headers ?? {}), `${id} ${status}`).toContain(header)
    }
  }
})

it('every operation of OTLP declares the encodings that its 415 names', () => {
  const ingesting = operations.filter(({ operation }) => operation.tags?.includes('ingest'))
  expect(ingesting).toHaveLength(3)
  for (const { id, operation } of ingesting) {
    const { '415': refused } = Object.fromEntries(responsesOf(operation))
    expect(Object.keys(refused?.headers ?? {}), id).toEqual(['Accept-Encoding'])
  }
})

it('every response with a version declares ETag, and every created record Location', () => {
  for (const { id, operation } of handledOperations) {
    for (const [status, { content, headers = {} }] of responsesOf(operation)) {
      const schema = schemas[nameOf(content?.['application/json']?.schema?.$ref)]
      const { version } = (schema?.properties ?? {}) as { version?: Schema }
      // Only the version of a record is a number.
      if (version && version.type !== 'string') expect(Object.keys(headers), id).toContain('ETag')
      if (status === '201') expect(Object.keys(headers), id).toContain('Location')
    }
  }
})

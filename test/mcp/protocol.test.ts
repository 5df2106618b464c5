import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readDocument } from '../../server/http/contract/document.ts'
import { createMcpRouter } from '../../server/mcp/mcp-router.ts'
import { tools } from '../../server/mcp/tools.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { authenticateRole, sharedStubApp, stubLimits } from '../support/stub-app.ts'
import { plain, tableUnder } from '../tidy/markdown-table.ts'

const page = 'https://app.example.com'
let left: Promise<void> | undefined
const metrics = createPrometheus({ collectProcess: false })
const stub = sharedStubApp({
  metrics: metrics.http,
  corsOrigins: [page],
  createToolsRouter: createMcpRouter({ authenticate: authenticateRole, limits: stubLimits, corsOrigins: [page] }),
  handlers: {
    // Takes as long as the client waits.
    listIntegrations: ({ signal }) => {
      left = new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      return left
        .then(() => signal.throwIfAborted())
        .then(() => ({ status: 200, body: { items: [], next_cursor: null } }))
    },
    listAlerts: () => {
      throw new Error('a secret detail')
    },
  },
})

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
function send(body: string | object, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return stub().send('POST', '/mcp', { headers: { ...json, ...headers }, body: text })
}

const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 7, method, params })
const callTool = (name: string, args: object = {}) => request('tools/call', { name, arguments: args })

it.each([
  ['text that is not JSON', '{"jsonrpc":', 400, -32_700],
  ['an empty body', '', 400, -32_700],
  ['a scalar', '7', 400, -32_700],
  ['nesting beyond the limit', `${'['.repeat(100)}${']'.repeat(100)}`, 400, -32_700],
  ['more values than a body may have', `[${'0,'.repeat(20_000)}0]`, 400, -32_700],
  ['a batch without messages', [], 400, -32_600],
  ['a batch of too many messages', Array.from({ length: 21 }, () => request('ping')), 400, -32_600],
  ['an empty object', {}, 400, -32_600],
  ['another version of JSON-RPC', { ...request('ping'), jsonrpc: '1.0' }, 400, -32_600],
  ['a method that is a number', { ...request('ping'), method: 5 }, 400, -32_600],
  ['an id that is null', { ...request('ping'), id: null }, 400, -32_600],
  ['an id that is an object', { ...request('ping'), id: {} }, 400, -32_600],
  ['an id of too many characters', { ...request('ping'), id: 'x'.repeat(257) }, 400, -32_600],
  ['an id that is a fraction', { ...request('ping'), id: 1.5 }, 400, -32_600],
  ['parameters that are a list', request('ping', []), 400, -32_600],
  ['an unknown method', request('resources/list'), 200, -32_601],
  ['a method of objects', request('constructor'), 200, -32_601],
  ['an unknown tool', callTool('drop_tables'), 200, -32_602],
  ['a tool that is an object', request('tools/call', { name: { a: 1 } }), 200, -32_602],
  ['arguments that are a list', request('tools/call', { name: 'search', arguments: [] }), 200, -32_602],
  ['a second page of tools', request('tools/list', { cursor: 'x' }), 200, -32_602],
  ['no version to agree on', request('initialize', {}), 200, -32_602],
])('%s is answered with an error of JSON-RPC', async (_, body, status, code) => {
  const response = await send(body)
  expect(response.status).toBe(status)
  const answer = (await response.json()) as { id: unknown; error: { code: number; message: string } }
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: status === 200 ? 7 : null, error: { code } })
  expect(answer.error.message).not.toBe('')
  expect(stub().handled).toEqual([])
})

it('a notification and a response need no answer', async () => {
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'services' } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]) {
    const response = await send(message)
    expect([response.status, await response.text()]).toEqual([202, ''])
  }
  expect(stub().handled).toEqual([])
})

it('the messages of a batch are answered each, unless they need no answer', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const sent = [request('ping'), notification, { ...request('nothing'), id: 'b' }, [], request('initialize', {})]
  const response = await send(sent, { 'mcp-protocol-version': '2025-03-26' })
  expect([response.status, await response.json()]).toMatchObject([
    200,
    [
      { jsonrpc: '2.0', id: 7, result: {} },
      { jsonrpc: '2.0', id: 'b', error: { code: -32_601 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
    ],
  ])
  const many = await send(Array.from({ length: 20 }, () => request('ping')))
  expect(await many.json()).toHaveLength(20)
  const silent = await send([notification, notification])
  expect([silent.status, await silent.text()]).toEqual([202, ''])
})

it('later versions of the protocol have no batches', async () => {
  const response = await send([request('ping')], { 'mcp-protocol-version': '2025-06-18' })
  expect([response.status, await response.json()]).toMatchObject([400, { id: null, error: { code: -32_600 } }])
})

it('the version that the client asks for is agreed on if it is known, otherwise the newest', async () => {
  const agreed = async (protocolVersion: string) => {
    const response = await send(request('initialize', { protocolVersion, capabilities: {}, clientInfo: {} }))
    return ((await response.json()) as { result: { protocolVersion: string } }).result.protocolVersion
  }
  expect(await agreed('2025-03-26')).toBe('2025-03-26')
  expect(await agreed('2025-06-18')).toBe('2025-06-18')
  expect(await agreed('1999-01-01')).toBe('2025-11-25')
})

it.each([
  ['GET', {}, 405],
  ['DELETE', {}, 405],
  ['PUT', {}, 405],
  ['POST', { 'content-type': 'text/plain' }, 415],
  ['POST', { ...json, accept: 'text/html' }, 406],
  ['POST', { ...json, authorization: '' }, 401],
  ['POST', { ...json, authorization: 'Bearer ingest' }, 403],
])('%s with %o is refused with %i', async (method, headers, status) => {
  const body = method === 'POST' ? JSON.stringify(request('ping')) : undefined
  const response = await stub().send(method, '/mcp', { headers, ...(body === undefined ? {} : { body }) })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  if (status === 401) expect(response.headers.get('www-authenticate')).toContain('Bearer')
  if (status === 405) expect(response.headers.get('allow')).toBe('POST')
})

it.each(['https://evil.example.com', 'null', 'http://localhost:4318', 'https://app.example.com.evil.com'])(
  'a page of the origin %s is refused, also with a credential and the name of the server',
  async (origin) => {
    const response = await send(request('tools/list'), { origin })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('CORS_ORIGINS')
  },
)

it('a page whose name leads to this server, and which has the origin of the server, is refused', async () => {
  const response = await send(request('ping'), { origin: stub().url })
  expect(response.status).toBe(403)
})

it('a page of an allowed origin may ask, and its browser may read the answer', async () => {
  const response = await send(request('ping'), { origin: page })
  expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 7, result: {} }])
  expect(response.headers.get('access-control-allow-origin')).toBe(page)
})

it('a body beyond the limit is refused', async () => {
  expect((await send(`"${'x'.repeat(3 * 1024 ** 2)}"`)).status).toBe(413)
})

it('a client that disconnects cancels the call', async () => {
  const client = new AbortController()
  const call = fetch(`${stub().url}/mcp`, {
    method: 'POST',
    headers: { ...json, authorization: 'Bearer admin' },
    body: JSON.stringify(callTool('integrations')),
    signal: client.signal,
  })
  await expect.poll(() => stub().handled.length).toBe(1)
  client.abort()
  await expect(call).rejects.toThrow('aborted')
  await left
  expect(stub().handled[0]?.signal.aborted).toBe(true)
})

it('a client that cancels a request ends its queries, and only its own', async () => {
  const sessionOf = async () => {
    const response = await send(request('initialize', { protocolVersion: '2025-06-18' }))
    return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
  }
  const [one, other] = [await sessionOf(), await sessionOf()]
  const call = send(callTool('integrations'), one)
  await expect.poll(() => stub().handled.length).toBe(1)
  const cancel = (requestId: unknown, headers: Record<string, string>) =>
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, headers)
  await cancel(7, other)
  await cancel(7, {})
  await cancel('7', one)
  expect(stub().handled[0]?.signal.aborted).toBe(false)
  await cancel(7, one)
  const response = await call
  expect([response.status, await response.text()]).toEqual([202, ''])
  expect(stub().handled[0]?.signal.aborted).toBe(true)
})

it('cancels none of several requests with one id, which clients without sessions send', async () => {
  const clients = [new AbortController(), new AbortController()]
  const calls = clients.map(({ signal }) =>
    fetch(`${stub().url}/mcp`, {
      method: 'POST',
      headers: { ...json, authorization: 'Bearer admin' },
      body: JSON.stringify(callTool('integrations')),
      signal,
    }).catch(() => {}),
  )
  await expect.poll(() => stub().handled.length).toBe(2)
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
  expect(stub().handled.map(({ signal }) => signal.aborted)).toEqual([false, false])
  for (const client of clients) client.abort()
  await Promise.all(calls)
})

it('requests are counted and logged by tool, and names that are no tools under one name', async () => {
  await send(callTool('services'))
  await send(callTool(`no-tool-${crypto.randomUUID()}`))
  await send(request('ping'))
  await send(request('ping'), { authorization: '' })
  const text = await metrics.registry.metrics()
  for (const [operation, status] of [
    ['mcp services', 200],
    ['mcp unknown', 200],
    ['mcp', 200],
    ['mcp', 401],
  ])
    expect(text).toMatch(new RegExp(`tracefold_http_requests_total{operation="${operation}",status="${status}"} \\d`))
  expect(text).not.toContain('no-tool')
  expect(text).not.toContain('operation="unknown"')
  await expect
    .poll(() =>
      stub()
        .logLines()
        .flatMap(({ operation }) => operation ?? []),
    )
    .toEqual(expect.arrayContaining(['mcp services', 'mcp unknown', 'mcp']))
})

it('a fault of the server is a tool error without details, which the log has', async () => {
  const response = await send(callTool('alerts'))
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ id: 7, result: { isError: true } })
  expect(text).toContain('Internal server error')
  expect(text).not.toContain('a secret detail')
  expect(JSON.stringify(stub().logLines())).toContain('a secret detail')
})

it('a tool passes the caller and the checked arguments to the handler of the API', async () => {
  const response = await send(callTool('services', { from: '2026-03-01T09:00:00Z', limit: 5 }))
  expect(response.status).toBe(200)
  const [handled] = stub().handled
  expect(handled).toMatchObject({
    operation: 'listServices',
    caller: { org: 'acme', role: 'admin', subject: 'ada' },
    query: { from: '2026-03-01T09:00:00Z', limit: 5 },
  })
})

it.each(['restricted', 'viewer', 'contributor', 'admin'])('the role %s is offered what it may call', async (role) => {
  const headers = { authorization: `Bearer ${role}` }
  const listed = (await (await send(request('tools/list'), headers)).json()) as {
    result: { tools: { name: string }[] }
  }
  expect(listed.result.tools.some(({ name }) => name === 'alerts')).toBe(role !== 'restricted')
})

it('docs/agents.md lists every tool with its operations', () => {
  const text = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')
  const rows = tableUnder(text, 'Tools').map(([name = '', , ids = '']) => [plain(name), plain(ids)])
  expect(rows).toEqual(tools.map(({ name, operations }) => [name, operations.join(', ')]))
})

it('a tool whose operations search all retained spans by default, not the last hour, says so', () => {
  const operations = Object.values(readDocument().paths).flatMap((item) => Object.values(item))
  const unlimited = operations
    .filter((operation) => /Without `from` and `to`.*all retained spans/s.test(JSON.stringify(operation)))
    .map(({ operationId }) => operationId)
  const said = tools.filter(({ description }) => description.includes('Without from and to, all retained spans'))
  expect(said).toEqual(tools.filter((tool) => tool.operations.some((id) => unlimited.includes(id))))
  expect(said.map(({ name }) => name)).toEqual(['message'])
})

it('a tool that takes conditions names the kinds and statuses of steps, which agents would have to guess', () => {
  const { SpanKind, SpanStatus } = readDocument().components.schemas as Record<string, { enum?: string[] }>
  const values = [...(SpanKind?.enum ?? []), ...(SpanStatus?.enum ?? [])]
  expect(values).toHaveLength(9)
  const described = tools.filter(({ description }) => description.includes('attribute_source "intrinsic"'))
  expect(described.map(({ name }) => name)).toEqual(['search', 'count', 'explain', 'breakdown', 'compare'])
  for (const { description } of described) expect(values.filter((value) => !description.includes(value))).toEqual([])
})

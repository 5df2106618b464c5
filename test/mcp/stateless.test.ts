import { expect, it } from 'vitest'
import { createMcpRouter } from '../../server/mcp/mcp-router.ts'
import { tools } from '../../server/mcp/tools.ts'
import { authenticateRole, sharedStubApp, stubLimits } from '../support/stub-app.ts'

const version = '2026-07-28'
const supported = [version, '2025-11-25', '2025-06-18', '2025-03-26']
let waiting: AbortSignal | undefined
const stub = sharedStubApp({
  createToolsRouter: createMcpRouter({ authenticate: authenticateRole, limits: stubLimits, corsOrigins: [] }),
  handlers: {
    // Takes as long as the client waits.
    listIntegrations: ({ signal }) => {
      waiting = signal
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  },
})

const metaOf = (protocolVersion: unknown) => ({
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
})
const request = (method: string, params: object = {}, meta: unknown = metaOf(version)) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params: { ...params, _meta: meta },
})
const headersOf = (method: string, name?: string) => ({
  'mcp-protocol-version': version,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})

interface Answer {
  readonly id: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

async function send(
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer & { readonly status: number; readonly headers: Headers }> {
  const response = await stub().send('POST', '/mcp', {
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, ...(text === '' ? { id: undefined } : JSON.parse(text)) }
}

it('a client discovers the versions, the tools and the name of the server without a session', async () => {
  const { status, headers, result } = await send(request('server/discover'), headersOf('server/discover'))
  expect([status, result]).toEqual([
    200,
    {
      resultType: 'complete',
      ttlMs: expect.any(Number),
      cacheScope: 'private',
      supportedVersions: supported,
      capabilities: { tools: {} },
      instructions: expect.stringContaining('Tracefold'),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tracefold', title: 'Tracefold', version: '0.1.0' } },
    },
  ])
  expect(headers.get('mcp-session-id')).toBeNull()
})

it('tools are listed for the caller, and not for other callers that share a cache', async () => {
  const { status, result } = await send(request('tools/list'), headersOf('tools/list'))
  expect(status).toBe(200)
  expect(result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' })
  expect(result?.tools).toHaveLength(tools.length)
})

it.each([
  ['services', 'services'],
  ['a name in base64', `=?base64?${Buffer.from('services').toString('base64')}?=`],
])('a tool is called without a session: %s', async (_, header) => {
  const call = request('tools/call', { name: 'services', arguments: { limit: 5 } })
  const { status, id, result } = await send(call, headersOf('tools/call', header))
  expect([status, id, result?.resultType, result?.isError]).toEqual([200, 7, 'complete', undefined])
  expect(result?._meta).toMatchObject({ 'io.modelcontextprotocol/serverInfo': { name: 'tracefold' } })
  expect(stub().handled).toMatchObject([{ operation: 'listServices', query: { limit: 5 } }])
})

it('a fault of the arguments is a result of the tool', async () => {
  const call = request('tools/call', { name: 'count', arguments: { rows: 5 } })
  const { status, result } = await send(call, headersOf('tools/call', 'count'))
  expect([status, result?.resultType, result?.isError]).toEqual([200, 'complete', true])
})

const list = headersOf('tools/list')
const call = (name: unknown) => request('tools/call', { name })
it.each<[string, unknown, Record<string, string>, number, number]>([
  ['parameters without `_meta`', { ...request('tools/list'), params: {} }, list, 400, -32_602],
  ['a `_meta` that is a text', request('tools/list', {}, 'x'), list, 400, -32_602],
  [
    'a `_meta` without capabilities',
    request('tools/list', {}, { ...metaOf(version), 'io.modelcontextprotocol/clientCapabilities': undefined }),
    list,
    400,
    -32_602,
  ],
  ['a `_meta` without a version', request('tools/list', {}, metaOf(undefined)), list, 400, -32_602],
  ['a version that is a number', request('tools/list', {}, metaOf(5)), list, 400, -32_602],
  [
    'another version in the header',
    request('tools/list'),
    { ...list, 'mcp-protocol-version': '2025-11-25' },
    400,
    -32_020,
  ],
  ['no version in the header', request('tools/list'), { 'mcp-method': 'tools/list' }, 400, -32_020],
  ['another method in the header', request('tools/list'), headersOf('tools/call'), 400, -32_020],
  ['no method in the header', request('tools/list'), { 'mcp-protocol-version': version }, 400, -32_020],
  ['another tool in the header', call('services'), headersOf('tools/call', 'alerts'), 400, -32_020],
  ['no tool in the header', call('services'), headersOf('tools/call'), 400, -32_020],
  [
    'a tool in the header that is not base64',
    call('services'),
    headersOf('tools/call', '=?base64?%%%?='),
    400,
    -32_020,
  ],
  ['a tool that is a number', call(5), headersOf('tools/call', '5'), 400, -32_602],
  ['an unknown tool', call('drop'), headersOf('tools/call', 'drop'), 400, -32_602],
  ['an unknown method', request('resources/list'), headersOf('resources/list'), 404, -32_601],
  ['the method that begins a session', request('initialize'), headersOf('initialize'), 404, -32_601],
  ['the method that this version left out', request('ping'), headersOf('ping'), 404, -32_601],
])('%s is refused', async (_, body, headers, status, code) => {
  const answer = await send(body, headers)
  expect([answer.status, answer.id, answer.error?.code]).toEqual([status, 7, code])
  expect(stub().handled).toEqual([])
})

it.each(['1900-01-01', '2099-01-01'])(
  'a request of the unknown version %s learns the known ones',
  async (requested) => {
    const headers = { ...headersOf('server/discover'), 'mcp-protocol-version': requested }
    const answer = await send(request('server/discover', {}, metaOf(requested)), headers)
    expect(answer).toMatchObject({ status: 400, id: 7, error: { code: -32_022, data: { supported, requested } } })
  },
)

it('a client of an earlier version that names an unknown one learns the known ones', async () => {
  const ping = { jsonrpc: '2.0', id: 'a', method: 'ping' }
  const answer = await send(ping, { 'mcp-protocol-version': '1999-01-01' })
  const data = { supported, requested: '1999-01-01' }
  expect(answer).toMatchObject({ status: 400, id: 'a', error: { code: -32_022, data } })
})

it('there are no batches', async () => {
  const { status, error } = await send([request('tools/list')], list)
  expect([status, error?.code]).toEqual([400, -32_600])
})

it('clients of earlier versions see nothing of this one', async () => {
  const { status, result } = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {})
  expect([status, Object.keys(result ?? {})]).toEqual([200, ['tools']])
  const discover = await send({ jsonrpc: '2.0', id: 1, method: 'server/discover' }, {})
  expect([discover.status, discover.error?.code]).toEqual([200, -32_601])
})

it('a request ends when its client leaves, and not by a notification, which needs no answer', async () => {
  const client = new AbortController()
  const call = fetch(`${stub().url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer admin',
      ...headersOf('tools/call', 'integrations'),
    },
    body: JSON.stringify(request('tools/call', { name: 'integrations' })),
    signal: client.signal,
  })
  await expect.poll(() => stub().handled.length).toBe(1)
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
  expect((await send(cancel, headersOf('notifications/cancelled'))).status).toBe(202)
  expect((await send(cancel, {})).status).toBe(202)
  expect(waiting?.aborted).toBe(false)
  client.abort()
  await expect(call).rejects.toThrow('aborted')
  await expect.poll(() => waiting?.aborted).toBe(true)
})

import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../server/lifecycle/listener.ts'
import { collectHints } from '../support/hints.ts'

const hints = collectHints()

/** Sends bytes over a new connection and returns all bytes until the server closes it. */
async function sendRaw(text: string, limits = { headersSecondsMax: 15, bodySecondsMax: 120 }): Promise<string> {
  const listener = await listen(
    (request, response) => {
      request.on('error', () => {}).resume()
      request.on('end', () => response.end('ok'))
    },
    { host: '127.0.0.1', port: 0, setting: 'PORT', limits, hints },
  )
  onTestFinished(async () => void (await listener.drain(0)))
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  socket.write(text)
  let answer = ''
  for await (const piece of socket) answer += piece
  return answer
}

async function problemFor(text: string, limits?: Parameters<typeof sendRaw>[1]) {
  const [head = '', body = ''] = (await sendRaw(text, limits)).split('\r\n\r\n')
  expect(head).toContain('Content-Type: application/problem+json')
  expect(head).toContain('Connection: close')
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
  const problem = JSON.parse(body)
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${problem.status} `))
  return problem
}

it('a URL over the limit gets 431 with a problem that names the limit', async () => {
  const problem = await problemFor(`GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  expect(problem).toMatchObject({ status: 431, code: 'headers_too_large', detail: expect.stringContaining('65536') })
})

it('a URL of long values is read', async () => {
  expect(await sendRaw(`GET /?q=${'x'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 200 /,
  )
})

it('headers over the limit get 431 with a problem', async () => {
  const problem = await problemFor(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`)
  expect(problem).toMatchObject({ status: 431, code: 'headers_too_large' })
})

it.each(['no http\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 'G\0ET / HTTP/1.1\r\n\r\n'])(
  'the malformed request %j gets 400 with a problem',
  async (text) => {
    expect(await problemFor(text)).toMatchObject({ status: 400, errors: [{ code: 'malformed_request' }] })
  },
)

it('a malformed request after others gets its 400 after their responses', async () => {
  const answer = await sendRaw(`${'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2)}no http\r\n\r\nGET /\0`)
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
  expect(answer).toContain('"detail":"The request is not valid HTTP/1.1."')
})

it('a request without the header Host gets 400 with a problem, unless it is of HTTP/1.0', async () => {
  const problem = await problemFor('GET / HTTP/1.1\r\n\r\n')
  expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '#/header/Host', code: 'required' }] })
  expect(await sendRaw('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 .*ok$/s)
})

it('a request with two headers Host gets 400 with a problem', async () => {
  const problem = await problemFor('GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n')
  expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '#/header/Host', code: 'malformed_request' }] })
  expect(await sendRaw('GET / HTTP/1.0\r\nHost: a\r\nhost: a\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
})

it('an expectation that the server does not know is ignored', async () => {
  const answer = await sendRaw('GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 200 .*ok$/s)
})

it('headers that never end get 408 with a problem', async () => {
  const problem = await problemFor('GET / HTTP/1.1\r\nHost: a\r\n', { headersSecondsMax: 1, bodySecondsMax: 1 })
  expect(problem).toMatchObject({ status: 408, code: 'request_timeout' })
})

it('a body that never ends gets 408 with a problem, even if the application waits for it', async () => {
  const text = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n123'
  expect(await problemFor(text, { headersSecondsMax: 1, bodySecondsMax: 1 })).toMatchObject({ status: 408 })
})

it('a connection that sends nothing is closed', async () => {
  expect(await sendRaw('', { headersSecondsMax: 1, bodySecondsMax: 1 })).toContain('HTTP/1.1 408')
})

it('a client that speaks HTTP/2 gets a GOAWAY that names the right port, and is logged', async () => {
  const answer = await sendRaw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  expect(answer.slice(3, 4)).toBe('\x04')
  expect(answer).toContain('hint: http2-to-http')
  expect(hints.logged).toEqual(['http2-to-http'])
})

it('a client that speaks TLS is disconnected and logged', async () => {
  expect(await sendRaw('\x16\x03\x01\x00\x05hello')).toBe('')
  expect(hints.logged).toContain('tls-to-plain')
})

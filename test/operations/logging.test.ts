import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createLogger, createRequestLogger, redactText } from '../../server/observability/logging.ts'

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = []
  write(createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }))
  for (const line of lines) JSON.parse(line)
  return lines.join('')
}

const secrets = ['hunter2', 'tf_abcdefghijklmnop', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl']

it.each([
  ['a field named like a secret', { password: 'hunter2' }],
  ['such a field inside another object', { clickhouse: { password: 'hunter2' } }],
  ['an authorization header', { headers: { authorization: 'Bearer hunter2' } }],
  ['an API key in a text', { note: 'the key tf_abcdefghijklmnop was sent' }],
  ['a token in a text', { note: `sent ${secrets[2]}` }],
  ['a password in an address', { url: 'postgres://tracefold:hunter2@db/meta' }],
  ['a secret in the message of an error', { err: new Error('connect to http://me:hunter2@host failed') }],
  ['a request that hangs on an error', { err: Object.assign(new Error('failed'), { request: { body: 'hunter2' } }) }],
])('%s is not logged', (_, fields) => {
  const text = logged((logger) => logger.info(fields, 'something happened'))
  expect(text).toContain('something happened')
  for (const secret of secrets) expect(text).not.toContain(secret)
})

it('a line with an address and an at sign elsewhere remains valid JSON', () => {
  const text = logged((logger) => logger.info({ url: 'http://host', mail: 'a@b' }, 'sent'))
  expect(JSON.parse(text)).toMatchObject({ url: 'http://host', mail: 'a@b' })
})

it.each(['eyJ-', '-eyJ', 'eyJ.eyJ-', 'tf_-', 'bearer ', 'a://', 'a:'])(
  'a path that repeats %s does not make redaction slow, which needs no authentication',
  (part) => {
    const before = process.cpuUsage()
    redactText(part.repeat(50_000))
    // Quadratic time would take several seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  },
)

it('text without secrets is unchanged', () => {
  const text = 'POST /api/v1/messages/search took 12 ms for acme'
  expect(redactText(text)).toBe(text)
})

/** Returns the log lines of a request that `respond` answers. */
async function linesOf(path: string, respond: (response: ServerResponse) => void): Promise<string[]> {
  const lines: string[] = []
  const answer = createRequestLogger(
    createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
  )
  const server = createServer((request, response) => {
    answer(request, response)
    respond(response)
    response.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  server.close()
  return lines
}

it('an error of a request is logged with its message and code, without its other fields', async () => {
  const lines = await linesOf('/path?token=hunter2', (response) => {
    response.err = Object.assign(new Error('refused'), { code: '62', serverText: 'value hunter2' })
    response.statusCode = 500
  })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { message: 'refused', code: '62' }, req: { path: '/path' } })
  expect(lines.join('')).not.toContain('hunter2')
})

it('a long path, which needs no authentication, is logged in part', async () => {
  const [line = ''] = await linesOf(`/${'a'.repeat(10_000)}`, () => {})
  expect(JSON.parse(line).req.path).toBe(`/${'a'.repeat(1_999)}…`)
})

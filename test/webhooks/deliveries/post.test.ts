import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createAddressPolicy } from '../../../server/webhooks/channels/receiver-address.ts'
import { createPost, type PostRequest } from '../../../server/webhooks/deliveries/post.ts'
import { createResolveHost } from '../../../server/webhooks/deliveries/resolve-host.ts'
import { excerptOf } from '../../../server/webhooks/deliveries/response-excerpt.ts'
import { leastStretch } from '../../support/longest-stretch.ts'
import { type Respond, startReceiver } from '../../support/receiver.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Creates the certificate, which Node cannot do. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const loopback = createAddressPolicy(['127.0.0.0/8'])

function send(request: Partial<PostRequest> & { readonly url: string }, { timeoutMs = 60_000, signal = never } = {}) {
  const whole = { headers: { 'content-type': 'application/json' }, body: '{}', secrets: [], ...request }
  return createPost({ allows: loopback, resolve: createResolveHost(), timeoutMs })(whole, signal)
}

const never = new AbortController().signal

async function sendTo(respond: Respond, request: Partial<PostRequest> = {}, timeoutMs?: number) {
  const receiver = await startReceiver(respond)
  return send({ url: receiver.url, ...request }, timeoutMs === undefined ? {} : { timeoutMs })
}

it('a redirect is not followed and counts as the response', async () => {
  const target = await startReceiver()
  const result = await sendTo(() => ({ status: 302, headers: { location: target.url } }))
  expect(result).toMatchObject({ kind: 'answered', status: 302 })
  expect(target.received).toEqual([])
})

it('a receiver that does not respond in time is unanswered', async () => {
  const result = await sendTo(() => 'later', {}, 100)
  expect(result).toEqual({ kind: 'unanswered', error: 'no response within 0.1 s' })
})

it('a response whose body never ends counts, with the beginning of its body', async () => {
  const result = await sendTo(
    (_, response) => {
      response.writeHead(200).write('the beginning')
      return 'later'
    },
    {},
    3_000,
  )
  expect(result).toMatchObject({ kind: 'answered', status: 200, response: expect.stringContaining('the beg') })
})

it('4 KB of a huge response are kept, cut between characters, and at most 64 KB are read', async () => {
  let written = 0
  const result = await sendTo((_, response) => {
    const chunk = 'ü'.repeat(32_768)
    response.writeHead(200)
    const more = () => {
      while (written < 64 * 2 ** 20 && !response.destroyed) {
        written += 65_536
        if (!response.write(chunk)) return response.once('drain', more)
      }
    }
    more()
    return 'later'
  })
  if (result.kind !== 'answered') throw new Error(result.error)
  expect(Buffer.byteLength(result.response)).toBe(4_096)
  expect(result.response).toMatch(/^ü+$/)
  expect(written).toBeLessThan(32 * 2 ** 20)
})

it('binary responses are kept as text that both stores accept', async () => {
  const result = await sendTo(() => ({ status: 500, body: Buffer.from([0, 0x61, 0xff, 0xfe, 0x1b, 0x62]) }))
  expect(result).toMatchObject({ response: '\uFFFDa\uFFFD\uFFFD\uFFFDb' })
})

it.each([
  ['verbatim', (secret: string) => `you sent ${secret}!`],
  ['inside JSON', (secret: string) => JSON.stringify({ got: secret })],
  ['in a URL', (secret: string) => `/?got=${encodeURIComponent(secret)}`],
  ['without the scheme', (secret: string) => secret.split(' ').at(-1) ?? ''],
  ['in JSON with escaped signs', (secret: string) => spelled(secret, (code) => `\\u00${hex(code)}`)],
  ['in JSON in upper case', (secret: string) => spelled(secret, (code) => `\\u00${hex(code).toUpperCase()}`)],
  ['in HTML with numbers', (secret: string) => spelled(secret, (code) => `&#${code};`)],
  ['in HTML with hexadecimal numbers', (secret: string) => spelled(secret, (code) => `&#x${hex(code)};`)],
  ['in HTML with names', (secret: string) => secret.replaceAll('"', '&quot;')],
  ['in a URL in lower case', (secret: string) => spelled(secret, (code) => `%${hex(code)}`)],
  ['as HTML in JSON', (secret: string) => spelled(secret, (code) => `\\u0026#${code};`)],
  ['across the end of the excerpt', (secret: string) => 'x'.repeat(4_090) + secret],
  ['across the end of what is read', (secret: string) => 'x'.repeat(65_530) + secret],
])('credentials that a receiver echoes %s are not kept', async (_, echo) => {
  const secret = 'Bearer s3cr3t/"quoted"+t0ken<&>=='
  const result = await sendTo(() => ({ status: 400, body: echo(secret) }), { secrets: [secret] })
  if (result.kind !== 'answered') throw new Error(result.error)
  expect(result.response).not.toMatch(/s3cr|3cr3t|t0ken/)
})

it('credentials that are cut in the middle of an escape are not kept', () => {
  const secret = 's3cr3t/+"token'
  const spellings = [
    spelled(secret, (code) => `\\u00${hex(code)}`),
    spelled(secret, (code) => `&#x${hex(code)};`),
    spelled(secret, (code) => `%${hex(code)}`),
    spelled(secret, (code) => `\\u0026#${code};`),
  ]
  for (const spelling of spellings) {
    for (let length = 1; length <= spelling.length; length++) {
      const bytes = Buffer.from(`no ${spelling.slice(0, length)}`)
      expect(excerptOf({ bytes, isWhole: false }, [secret])).toMatch(/^no (\[redacted\])?$/)
    }
  }
})

it('what stands around and between credentials is kept as it was sent', () => {
  const bytes = Buffer.from('a \\u002b {"s3cr\\u002Bt": "100%25", "b": "s3cr+t" } &amp; s3cr%2Bts3cr&#43;t 😀')
  expect(excerptOf({ bytes, isWhole: true }, ['s3cr+t', 's3cr'])).toBe(
    'a \\u002b {"[redacted]": "100%25", "b": "[redacted]" } &amp; [redacted][redacted] 😀',
  )
})

it('credentials and responses that could be read in many ways take little time', async () => {
  const bytes = Buffer.from('\\'.repeat(65_536))
  const secrets = [`${'\\'.repeat(4_000)}x`, `${'\\'.repeat(64)}y`]
  const cpuMsMax = 1_000
  const stretch = await leastStretch(async () => void excerptOf({ bytes, isWhole: false }, secrets), cpuMsMax)
  expect(stretch).toBeLessThan(cpuMsMax)
})

it.each([
  ['the path', (path: string) => `Cannot POST ${path}`],
  ['the path in JSON of PHP', (path: string) => JSON.stringify({ path }).replaceAll('/', '\\/')],
  ['the path in HTML', (path: string) => `<pre>${path.replaceAll('&', '&amp;')}</pre>`],
  ['the decoded path', (path: string) => decodeURIComponent(path)],
  ['one part of the path', () => 'There is no hook s3cr3tPart.'],
  ['a value of the query', () => 'The key s3cr3t key is wrong.'],
  ['an undecoded value of the query', () => 'The key s3cr3t%20key is wrong.'],
  ['a value of the query with a plus', () => 'The token k3y+of+3cr3t is wrong.'],
  ['the path across the end of the excerpt', (path: string) => 'x'.repeat(4_080) + path],
])('%s of the URL that a receiver echoes is not kept', async (_, echo) => {
  const path = '/hooks/T%C3%BC0/s3cr3tPart?channel=a&key=s3cr3t%20key&token=k3y+of+3cr3t'
  const receiver = await startReceiver((_number, _response, received) => ({ status: 404, body: echo(received.path) }))
  const result = await send({ url: new URL(path, receiver.url).href })
  if (result.kind !== 'answered') throw new Error(result.error)
  expect(result.response).not.toMatch(/s3cr|3cr3t|hooks/)
})

it('a signing secret that a receiver echoes without its prefix is not kept', async () => {
  const result = await sendTo(() => ({ status: 401, body: 'not s3cr3tOfReceiver' }), {
    secrets: ['whsec_s3cr3tOfReceiver'],
  })
  expect(result).toMatchObject({ response: 'not [redacted]' })
})

it('the user and password of Basic that a receiver decodes and echoes are not kept', async () => {
  const secret = `Basic ${Buffer.from('receiver:s3cr3t').toString('base64')}`
  for (const body of ['receiver:s3cr3t is unknown', 'wrong password s3cr3t']) {
    const result = await sendTo(() => ({ status: 401, body }), { secrets: [secret] })
    if (result.kind !== 'answered') throw new Error(result.error)
    expect(result.response).not.toContain('s3cr3t')
  }
})

it('a connection that is refused, closed or not HTTP is described in words', async () => {
  const unused = createTcpServer()
  const port = await listening(unused)
  await new Promise((resolve) => unused.close(resolve))
  expect(await send({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ error: 'the connection was refused' })
  const rude = createTcpServer((socket) => socket.once('data', () => socket.destroy()))
  expect(await send({ url: `http://127.0.0.1:${await listening(rude)}/` })).toMatchObject({
    error: 'the connection was closed before the receiver responded',
  })
  const other = createTcpServer((socket) => socket.once('data', () => socket.end('220 mail.example.com ESMTP\r\n')))
  expect(await send({ url: `http://127.0.0.1:${await listening(other)}/` })).toMatchObject({
    error: 'the response is not valid HTTP',
  })
})

it.each(['100 Continue', '102 Processing', '103 Early Hints'])(
  'the response after an interim one of %s, which nothing asked for, counts',
  async (interim) => {
    const answer = `HTTP/1.1 ${interim}\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 4\r\n\r\ndone`
    const server = createTcpServer((socket) => socket.once('data', () => socket.write(answer)))
    const result = await send({ url: `http://127.0.0.1:${await listening(server)}/` })
    expect(result).toEqual({ kind: 'answered', status: 202, response: 'done' })
  },
)

it('a flood of interim responses ends the attempt', async () => {
  const flood = 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(101)
  const server = createTcpServer((socket) => socket.once('data', () => socket.write(flood)))
  const result = await send({ url: `http://127.0.0.1:${await listening(server)}/` })
  expect(result).toEqual({ kind: 'unanswered', error: 'the receiver sent too many interim responses' })
})

it('a receiver that switches protocols is described in words', async () => {
  const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'
  const server = createTcpServer((socket) => socket.once('data', () => socket.write(answer)))
  const result = await send({ url: `http://127.0.0.1:${await listening(server)}/` })
  expect(result).toMatchObject({ error: 'the connection was closed before the receiver responded' })
})

it('an unknown host name is described in words, without the name', async () => {
  const result = await send({ url: 'http://secret-host.invalid/' })
  const error = 'the host name does not resolve to a public address, which webhooks require'
  expect(result).toEqual({ kind: 'unanswered', error })
})

it('a receiver that refuses the TLS handshake is described in words', async () => {
  const alert = Buffer.from('15030100020228', 'hex')
  const server = createTcpServer((socket) => socket.once('data', () => socket.end(alert)))
  expect(await send({ url: `https://127.0.0.1:${await listening(server)}/` })).toEqual({
    kind: 'unanswered',
    error: expect.stringMatching(/^the TLS handshake with the receiver failed \(ERR_SSL_[\w/]+\)$/),
  })
})

it('an untrusted certificate is described in words', async ({ skip }) => {
  if (!hasOpenssl) skip('There is no openssl on this machine.')
  const directory = temporaryFolder()
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const subject = ['-subj', '/CN=receiver', '-days', '2', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end())
  const url = `https://127.0.0.1:${await listening(server)}/`
  expect(await send({ url })).toEqual({
    kind: 'unanswered',
    error: 'the certificate of the receiver is self-signed',
  })
  const plain = await startReceiver()
  expect(await send({ url: plain.url.replace('http:', 'https:') })).toMatchObject({
    error: expect.stringMatching(/TLS/),
  })
})

it('aborting rejects a running request', async () => {
  const receiver = await startReceiver(() => 'later')
  const stopping = new AbortController()
  const sending = send({ url: receiver.url }, { signal: stopping.signal })
  await expect.poll(() => receiver.received.length).toBe(1)
  stopping.abort()
  await expect(sending).rejects.toThrow()
})

it('a request that was aborted before it began is rejected without a connection', async () => {
  const receiver = await startReceiver()
  await expect(send({ url: receiver.url }, { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(receiver.received).toEqual([])
})

/** Spells the characters of a text that are neither letters nor digits. */
function spelled(text: string, spell: (code: number) => string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, (character) => spell(character.charCodeAt(0)))
}

function hex(code: number): string {
  return code.toString(16).padStart(2, '0')
}

async function listening(server: ReturnType<typeof createTcpServer>): Promise<number> {
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
